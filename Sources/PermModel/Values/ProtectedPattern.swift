/// A name that is protected at any depth, and the reason for it.
struct ProtectedPattern: Hashable, Sendable {
  /// Consecutive parts of a path, in lower case. A part can begin or end with an asterisk.
  let parts: [String]
  let reason: String

  /// The name as it is written in the list.
  var name: String { parts.joined(separator: "/") }
  /// Whether the pattern stands for a single name.
  var isPlain: Bool { !parts.contains { $0.contains("*") } }

  fileprivate func matches(_ path: ArraySlice<String>) -> Bool {
    path.count >= parts.count && zip(parts, path).allSatisfy(Self.matches)
  }

  private static func matches(_ pattern: String, _ part: String) -> Bool {
    if pattern.hasSuffix("*") { return part.hasPrefix(pattern.dropLast()) }
    return pattern.hasPrefix("*") ? part.hasSuffix(pattern.dropFirst()) : pattern == part
  }
}

extension ProtectedPattern {
  /// Returns the first pattern that is somewhere on a path; `nil` if there is none.
  ///
  /// - Parameter path: The parts of the path, in lower case.
  static func first(on path: [String]) -> ProtectedPattern? {
    for index in path.indices {
      let rest = path[index...]
      if let found = (plain[path[index]] ?? []).first(where: { $0.matches(rest) }) { return found }
      if let found = wild.first(where: { $0.matches(rest) }) { return found }
    }
    return nil
  }

  private static let plain = Dictionary(grouping: all.filter { !$0.parts[0].contains("*") }) { $0.parts[0] }
  private static let wild = all.filter { $0.parts[0].contains("*") }

  /// The patterns, the most telling first.
  static let all = lists.flatMap { reason, names in
    names.split(whereSeparator: \.isWhitespace).map {
      ProtectedPattern(parts: $0.split(separator: "/").map(String.init), reason: reason)
    }
  }

  private static let lists: [(String, String)] = [
    ("git runs this file, at every commit for example", ".git/hooks .githooks .husky"),
    ("git runs the programs that this file names", ".git/config .git/config.worktree .gitconfig .gitmodules"),
    ("git trusts what is stored here, and can be led to run it", ".git .gitattributes"),
    (
      "an agent obeys this file, and runs what it says",
      """
      .claude .claude.json .claude.json.* .codex .gemini .cursor .opencode opencode.json .zed .roo .windsurf .kiro .continue
      .agents .aider.conf.yml .mcp.json
      """
    ),
    (
      "an editor runs what this file says",
      ".vscode .idea *.code-workspace .exrc .devcontainer .vimrc .vim .nvimrc .emacs*"
    ),
    (
      "other programs run what this file says",
      """
      .envrc .direnv .mise.toml lefthook.yml .pre-commit-config.yaml .npmrc .yarnrc* .yarn bunfig.toml .bazelrc
      .cargo/config* .mvn .gdbinit gradlew .gradle/init.d *.pth sitecustomize.py usercustomize.py .pdbrc .pythonrc .irbrc
      .psqlrc .sqliterc .mailcap .venv/bin node_modules/.bin
      """
    ),
    (
      "a server for builds runs what this file says",
      ".github/workflows .gitlab-ci.yml .circleci jenkinsfile .travis.yml azure-pipelines.yml .woodpecker .drone.yml"
    ),
    (
      "it holds keys or passwords, or says to whom they are sent",
      ".ssh .gnupg .git-credentials .netrc .docker/config.json .kube/config .pypirc .cargo/credentials*"
    ),
    (
      "a shell or another program runs what this file says when it starts",
      """
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc
      .mkshrc .cshrc .tcshrc .login .logout .xprofile .xinitrc .xsession* .inputrc .tmux.conf .screenrc .pam_environment
      .curlrc .wgetrc .jq .ripgreprc
      """
    ),
  ]
}
