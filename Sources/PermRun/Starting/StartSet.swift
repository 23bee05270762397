import Machine
import PermModel

/// The files that a known program reads whenever it starts. They are asked about as one group, so that a first start does
/// not lead to an alert for each.
///
/// Files with passwords and tokens are not among them: each of those is asked about by itself, once it is used.
enum StartSet {
  /// The files of each known program, in the home folder. A slash at the end means everything below a folder.
  private static let files: [String: [String]] = {
    let git = [".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes"]
    let node = [".node_modules/", ".node_libraries/", ".nvm/versions/"]
    let npm = node + [".npm/", ".cache/node-gyp/"]
    let python = [".local/lib/", ".pyenv/versions/"]
    let pip = python + [".config/pip/", ".cache/pip/"]
    let claude = [
      "CLAUDE.md", "settings.json", "settings.local.json", "commands/", "agents/", "skills/", "plugins/",
    ]
    let codex = ["config.toml", "AGENTS.md", "prompts/"]
    return [
      "git": git, "node": node, "npm": npm, "npx": npm, "python": python, "python3": python,
      "pip": pip, "pip3": pip,
      "deno": [".cache/deno/", ".deno/bin/"],
      "cargo": git + [".cargo/config.toml", ".cargo/bin/", ".cargo/registry/", ".cargo/git/", ".rustup/"],
      "go": git + [".config/go/env", "go/pkg/mod/", "go/pkg/sumdb/", ".cache/go-build/"],
      "claude": git + node + claude.map { ".claude/\($0)" },
      "codex": git + node + codex.map { ".codex/\($0)" },
    ]
  }()

  /// Returns the uses of the files that are there, and of the program's own file if it lies in the home folder. A link counts
  /// as the file to which it leads.
  ///
  /// - Parameters:
  ///   - program: The program as it was named.
  ///   - path: The path of its file; `nil` if there is none.
  ///   - home: The home folder; `nil` if it is unknown.
  static func uses(of program: String, at path: String?, home: String?) -> [FileUse] {
    guard let home, let real = Paths.resolved(Array(home.utf8)), let folder = try? AbsolutePath(real) else {
      return []
    }
    let known = (files[program.lastPathPart] ?? []).compactMap { use(of: "\(home)/\($0)") }
    let own = path.flatMap(use).flatMap { folder.isAbove($0.path) ? $0 : nil }
    return Array(Set(known + [own].compactMap(\.self))).sorted {
      $0.path.bytes.lexicographicallyPrecedes($1.path.bytes)
    }
  }

  private static func use(of name: String) -> FileUse? {
    let isFolder = name.hasSuffix("/")
    guard let bytes = Paths.resolved(Array(name.utf8)), let path = try? AbsolutePath(bytes),
      FileStatus(bytes)?.kind == (isFolder ? .folder : .file)
    else { return nil }
    return .read(path, isWhole: isFolder)
  }
}
