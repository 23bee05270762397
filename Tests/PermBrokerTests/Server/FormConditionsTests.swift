import Foundation
import PermModel
import Testing

@testable import Machine
@testable import PermBroker

@Suite("The conditions on this machine for a command form")
struct FormConditionsTests {
  private let place: PathPlace

  init() throws { place = try PathPlace() }

  /// Returns the forms on offer for lines in the folder of the test.
  private func forms(
    _ lines: String..., variables: [String: String] = ["PATH": "/usr/bin:/bin"],
    mayRead: @escaping @Sendable (ResolvedValues) -> Bool = { _ in true }
  ) async -> Set<String> {
    await outcome(of: lines, variables: variables, mayRead: mayRead).forms
  }

  private func outcome(
    of lines: [String], variables: [String: String], mayRead: @escaping @Sendable (ResolvedValues) -> Bool
  ) async -> FormConditions.Outcome {
    let folder = Array(place.path.utf8) + [ResolvedPath.slash]
    let resolver = PathResolver(patience: .seconds(20), mostThreads: 8) {
      path, view throws(PathDoubt) in
      let isAbsolute = path.first == ResolvedPath.slash
      return try PathLookup.resolve(isAbsolute ? path : folder + path, in: view)
    }
    let conditions = FormConditions(
      values: ValueResolver(resolver: resolver, home: "/home/ana"), asker: TestBroker.program("/x").peer,
      environment: FormVariables(variables: variables, listedHome: "/home/ana"),
      systemSettings: place.folder.file("gitconfig"), mayRead: mayRead)
    return await conditions.forms(of: lines)
  }

  /// Returns the reason why lines have no form.
  private func reason(
    _ lines: String..., mayRead: @escaping @Sendable (ResolvedValues) -> Bool = { _ in true }
  ) async -> String? {
    await outcome(of: lines, variables: ["PATH": "/usr/bin:/bin"], mayRead: mayRead).reason
  }

  // MARK: Files that are read

  @Test("Each file that a line reads must be allowed, under the name to which links lead")
  func reading() async throws {
    for name in ["open", "secret"] { try place.file(name) }
    try place.link("link", to: "secret")
    let secret = place.read("secret")
    let mayRead: @Sendable (ResolvedValues) -> Bool = { !$0.atoms.contains(secret) }
    #expect(await forms("cat open", mayRead: mayRead) == ["cat"])
    #expect(await forms("cat -n open | wc -l", mayRead: mayRead) == ["cat", "wc"])
    for line in ["cat secret", "cat ./link", "cat open secret", "cat open | cat secret", "cat missing"] {
      #expect(await forms(line, mayRead: mayRead).isEmpty, "\(line)")
    }
    #expect(await forms("cat open", "cat secret", mayRead: mayRead).isEmpty)
    #expect(await forms("head -n5 open", "cat secret", mayRead: mayRead) == ["head"])
  }

  @Test("A folder must be allowed with everything below it, and ls without a path reads the working folder")
  func folders() async throws {
    try place.folder("inner")
    let asked = Lock<[Scope]>([])
    let mayRead: @Sendable (ResolvedValues) -> Bool = { found in
      asked.withLock { $0 += found.atoms.map(\.scope) }
      return true
    }
    #expect(await forms("ls inner", mayRead: mayRead) == ["ls"])
    #expect(await forms("ls", mayRead: mayRead) == ["ls"])
    #expect(
      asked.withLock { $0 } == [.folder(place.path("inner")), .folder(try AbsolutePath(place.path))])
  }

  @Test("A line that belongs to no form has none", arguments: ["rm -r /", "cat open > closed", "ls $HOME"])
  func noForm(_ line: String) async throws {
    try place.file("open")
    #expect(await forms(line).isEmpty)
  }

  // MARK: The program

  @Test("The first program on the search path counts, and only root can replace it or its folder")
  func searchPath() async throws {
    try place.file("open")
    try place.folder("bin")
    try place.folder("links")
    func isUsable(_ path: String?) async -> Bool {
      await forms("cat open", variables: path.map { ["PATH": $0] } ?? [:]) == ["cat"]
    }
    let (bin, links) = (place.folder.file("bin"), place.folder.file("links"))
    #expect(await isUsable(nil))
    #expect(await isUsable("/nowhere:\(bin):/usr/bin"))
    for path in ["bin:/usr/bin", ":/usr/bin", ".:/usr/bin", "/nowhere", ""] {
      #expect(await !isUsable(path), "\(path)")
    }
    try place.folder.write("", to: "bin/cat", mode: 0o644)
    #expect(await isUsable("\(bin):/usr/bin"))
    try place.folder.write("", to: "bin/cat", mode: 0o755)
    #expect(await !isUsable("\(bin):/usr/bin"))
    // A shell divides the path at each colon, also at one with an accent.
    #expect(await !isUsable("\(bin):\u{301}:/usr/bin"))
    try FileManager.default.createSymbolicLink(atPath: "\(links)/cat", withDestinationPath: "/usr/bin/cat")
    #expect(await !isUsable("\(links):/usr/bin"))
  }

  @Test(
    "A variable that runs other code rules out the form",
    arguments: ["LD_PRELOAD", "BASH_ENV", "GIT_SSH_COMMAND", "PAGER"])
  func variables(_ name: String) async throws {
    try makeRepository()
    #expect(await forms("git status") == ["git status"])
    #expect(await forms("git status", variables: ["PATH": "/usr/bin", name: "x"]).isEmpty)
    #expect(await forms("git status", variables: ["PATH": "/usr/bin", "TERM": "x"]) == ["git status"])
  }

  @Test("git's forms need its helpers, too, to be programs that only root can replace")
  func helpers() async throws {
    try makeRepository()
    try place.folder("bin")
    let path = ["PATH": "\(place.folder.file("bin")):/usr/bin"]
    #expect(await forms("git status", variables: path) == ["git status"])
    try place.folder.write("", to: "bin/ssh", mode: 0o755)
    #expect(await forms("git status", variables: path).isEmpty)
  }

  private func isHarmless(_ name: String, _ value: String = "x", for form: String) throws -> Bool {
    FormVariables(variables: [name: value], listedHome: "/home/ana").areHarmless(
      for: try #require(CommandForm(of: form)))
  }

  @Test(
    "A variable that makes the shell or the loader run something rules out every form",
    arguments: [
      "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "GCONV_PATH", "ENV", "BASH_ENV", "BASH_FUNC_git%%",
      "ZDOTDIR",
      "SHELLOPTS", "PS4", "HOME", "BASHOPTS", "CDPATH", "CLAUDE_ENV_FILE", "BASH_FUNC_ls()",
    ])
  func variablesOfAll(_ name: String) throws {
    for form in CommandForm.all.map({ $0.name == "rg" ? "rg --no-config x" : $0.name })
    where CommandForm(of: form) != nil {
      #expect(try !isHarmless(name, for: form), "\(form)")
    }
  }

  @Test(
    "A variable that makes one program run or read something else rules out its forms, and no others",
    arguments: [
      (
        "git status", "cat a",
        ["GIT_DIR", "GIT_CONFIG_COUNT", "GIT_EXTERNAL_DIFF", "PAGER", "LESS", "LESSOPEN", "SSH_ASKPASS"]
      ),
      ("make test", "git status", ["MAKEFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "CC", "CXX"]),
      ("npm test", "make test", ["NODE_OPTIONS", "npm_config_script_shell", "NPM_CONFIG_PREFIX"]),
      (
        "cargo build", "npm test",
        [
          "CARGO_HOME", "CARGO_BUILD_RUSTC", "RUSTC", "RUSTC_WRAPPER", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "CC",
          "CXX",
        ]
      ),
      (
        "swift build", "npm test",
        ["SWIFT_EXEC", "SWIFT_EXEC_MANIFEST", "TOOLCHAINS", "CC", "CXX", "XDG_CONFIG_HOME"]
      ),
      ("git log", "cat a", ["XDG_CONFIG_HOME"]),
    ])
  func variablesOfOne(_ form: String, _ other: String, _ names: [String]) throws {
    for name in names {
      #expect(try !isHarmless(name, for: form), "\(name)")
      #expect(try isHarmless(name, for: other), "\(name)")
    }
  }

  /// Returns the reason why a form does not hold for a line of an agent.
  private func obstacle(_ environments: [String: String]...) throws -> String? {
    FormVariables(environments: environments, isAgent: true, listedHome: "/home/ana").obstacle(
      to: try #require(CommandForm(of: "git status")))
  }

  @Test("An agent's lines are looked at in all environments from the hook up to the agent")
  func environments() throws {
    let usual = ["PATH": "/usr/bin", "HOME": "/home/ana", "TERM": "x"]
    #expect(try obstacle(usual, usual, usual) == nil)
    for place in 0..<3 {
      var all = [usual, usual, usual]
      all[place]["BASH_FUNC_git%%"] = "() { echo hijacked; }"
      #expect(try obstacle(all[0], all[1], all[2])?.contains("BASH_FUNC_git%%") == true, "\(place)")
    }
    var set = usual
    for (name, value) in [
      "PWD": "/", "SHLVL": "2", "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/x", "_": "/bin/sh",
    ] {
      set[name] = value
    }
    #expect(try obstacle(set, set, usual) == nil)
  }

  @Test(
    "A variable that the agent had not, or had otherwise, rules out every form, and is named",
    arguments: ["NEW", "PATH", "TERM", "claude", "GIT_TERMINAL_PROMPT"])
  func added(_ name: String) throws {
    let usual = ["PATH": "/usr/bin", "HOME": "/home/ana", "TERM": "x"]
    var changed = usual
    changed[name] = "/other"
    for (hook, shell) in [(changed, changed), (usual, changed), (changed, usual)] {
      #expect(
        try obstacle(hook, shell, usual) == "the variable \(name) is not as it was when the agent began")
    }
    #expect(try obstacle(changed, changed, changed) == nil)
  }

  @Test(
    "If the shell that starts the hook cannot be seen, no form holds; an agent that asks by itself has none")
  func shellOfHook() throws {
    let usual = ["PATH": "/usr/bin", "HOME": "/home/ana"]
    #expect(try obstacle(usual, usual)?.contains("permtui connect") == true)
    #expect(try obstacle(usual) == nil)
  }

  @Test("The usual home folder and the usual folder of settings change nothing, however they are spelled")
  func usualFolders() throws {
    for home in ["/home/ana", "/home/ana/", "//home/./ana"] {
      #expect(try isHarmless("HOME", home, for: "git status"))
    }
    for home in ["/home/bo", "", "home/ana", "/home/ana/../bo"] {
      #expect(try !isHarmless("HOME", home, for: "cat a"))
    }
    #expect(try isHarmless("XDG_CONFIG_HOME", "/home/ana/.config", for: "git status"))
    #expect(try isHarmless("GIT_EDITOR", for: "git status"))
    #expect(try isHarmless("ENVIRONMENT", for: "git status"))
  }

  // MARK: The repository

  private func makeRepository() throws {
    for name in [".git", ".git/objects", ".git/refs", ".git/hooks"] { try place.folder(name) }
    try place.folder.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try place.folder.write("[remote \"origin\"]\n\turl = git@example.org:a.git\n[core]\n", to: ".git/config")
  }

  private func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.folder.file(name))
  }

  @Test("The repository's folder and its settings can be written by nobody else")
  func repository() async throws {
    #expect(await forms("git status").isEmpty)
    try makeRepository()
    #expect(await forms("git status") == ["git status"])
    #expect(await forms("git push origin main") == ["git push git@example.org:a.git"])
    for name in [".", ".git", ".git/config"] {
      let usual = name == ".git/config" ? 0o644 : 0o755
      for mode in [0o020, 0o002] {
        try setMode(usual | mode, of: name)
        #expect(await forms("git status").isEmpty, "\(name)")
      }
      try setMode(usual, of: name)
    }
    #expect(await forms("git status") == ["git status"])
  }

  @Test("A remote must be named in the settings, because git takes any other name for a path")
  func remotes() async throws {
    try makeRepository()
    #expect(await forms("git push origin main") == ["git push git@example.org:a.git"])
    #expect(await forms("git push other main").isEmpty)
    try place.folder.write("[remote \"origin\"]\n[core]\n\tfilemode = true\n", to: ".git/config")
    #expect(await forms("git push origin main").isEmpty)
    #expect(await forms("git status") == ["git status"])
  }

  @Test(
    "Lines that send to several addresses have no form together, and one that may not takes it from the other"
  )
  func severalAddresses() async throws {
    try makeRepository()
    let other = "[remote \"other\"]\nurl = git@example.org:b.git\n"
    try place.folder.write("[remote \"origin\"]\nurl = git@example.org:a.git\n\(other)", to: ".git/config")
    #expect(await forms("git push other main") == ["git push git@example.org:b.git"])
    for line in ["git push other main", "git push third main"] {
      #expect(await forms("git push origin main", line).isEmpty, "\(line)")
      #expect(await forms("git push origin main && \(line)").isEmpty, "\(line)")
    }
  }

  @Test("The remote must have a single address, of another machine")
  func addresses() async throws {
    try makeRepository()
    func isPushed(_ settings: String) async throws -> Bool {
      try place.folder.write("[remote \"origin\"]\n\(settings)\n", to: ".git/config")
      return await forms("git push origin main").contains { $0.hasPrefix("git push ") }
    }
    for address in ["https://example.org/a.git", "ssh://git@example.org:22/a", "git@example.org:a/b.git"] {
      #expect(try await isPushed("url = \(address)"), "\(address)")
    }
    for address in [
      "/tmp/a", "../a", "file:///a", "ext::X", "foo::bar", "http://a/b", "a:b", "https://a/b?X",
      "ssh://-oX/a", "",
    ] {
      #expect(try await !isPushed("url = \(address)"), "\(address)")
    }
    #expect(try await !isPushed("url = https://a/b\nurl = https://c/d"))
    #expect(try await !isPushed("url = https://a/b\npushurl = https://c/d"))
  }

  @Test(
    "A key that could run a program, or a file that cannot be read for certain, rules out the forms of git",
    arguments: [
      "[core]\nfsmonitor = X", "[core]\npager = X", "[core]\nhooksPath = X", "[core] sshCommand = X",
      "[CORE]\nFSMonitor=X",
      "[core]\nworktree = X", "[include]\npath = X", "[includeIf \"gitdir:X\"]\npath = X",
      "[diff \"x\"]\ncommand = X",
      "[filter \"lfs\"]\nclean = X", "[extensions]\nworktreeConfig", "[extensions]\npartialClone = x",
      "[remote \"o\"]\nuploadpack = X", "[remote \"o\"]\npromisor", "[url \"X\"]\ninsteadOf = y",
      "[gpg]\nprogram = X",
      "[credential]\nhelper = X", "[core]\nbare = true", "[core]\nbare",
      "[core]\nrepositoryformatversion = 1",
      "[x]\ny = z", "[user\nname = a", "name = a",
      "[core \"x\"]\nfilemode = true", "[submodule \"x\"]\nurl = y", "[core]\neditor = X",
      "[commit]\ngpgSign",
    ])
  func settings(_ text: String) async throws {
    try makeRepository()
    try place.folder.write(text, to: ".git/config")
    #expect(await forms("git status").isEmpty)
    let reason = await reason("git status")
    #expect(reason?.contains("git's settings in") == true, "\(reason ?? "")")
  }

  @Test("The settings that most repositories have are harmless")
  func usualSettings() async throws {
    try makeRepository()
    try place.folder.write(
      """
      [core]
      \trepositoryformatversion = 0
      \tfilemode = true
      \tbare = false
      \tlogallrefupdates = true
      # a comment
      [remote "origin"]
      \turl = git@example.org:a.git
      \tfetch = +refs/heads/*:refs/remotes/origin/*
      [branch "main"]
      \tremote = origin
      \tmerge = refs/heads/main
      [user]
      \tname = "Ana B."
      \temail = ana@example.org
      [alias]
      \tst = status
      """, to: ".git/config")
    #expect(
      await forms("git status", "git log -5", "git push origin main") == [
        "git status", "git log", "git push git@example.org:a.git",
      ])
  }

  @Test("Settings for all users count, but what is only about remotes does not change what looks")
  func systemSettings() async throws {
    try makeRepository()
    try place.folder.write("[credential]\nhelper = X\n", to: "gitconfig")
    #expect(
      await forms("git status", "git push origin main") == [
        "git status", "git push git@example.org:a.git",
      ])
    try place.folder.write("[url \"/x/\"]\ninsteadOf = git@example.org:\n", to: "gitconfig")
    #expect(await forms("git status") == ["git status"])
    #expect(await forms("git push origin main").isEmpty)
    try place.folder.write("[core]\nfsmonitor = X\n", to: "gitconfig")
    #expect(await forms("git status").isEmpty)
  }

  @Test("An executable hook that git could run is named")
  func hooks() async throws {
    try makeRepository()
    try place.folder.write("", to: ".git/hooks/pre-push", mode: 0o755)
    try place.folder.write("", to: ".git/hooks/post-index-change", mode: 0o644)
    #expect(await forms("git status") == ["git status"])
    #expect(await reason("git push origin main") == "git would run .git/hooks/pre-push")
    try setMode(0o755, of: ".git/hooks/post-index-change")
    #expect(await reason("git status") == "git would run .git/hooks/post-index-change")
  }

  @Test("A line that prints files of a repository needs leave to read all of it")
  func contents() async throws {
    try makeRepository()
    let root = Scope.folder(try AbsolutePath(place.path))
    let mayRead: @Sendable (ResolvedValues) -> Bool = { !$0.atoms.contains(Atom("files", "read", root)) }
    for line in ["git diff", "git show", "git log -p", "git blame a"] {
      #expect(await forms(line, mayRead: mayRead).isEmpty, "\(line)")
      #expect(await !forms(line).isEmpty, "\(line)")
    }
    #expect(await forms("git log", mayRead: mayRead) == ["git log"])
  }

  @Test(
    "A file that leads git to other files rules out its forms",
    arguments: ["commondir", "config.worktree", "objects/info/alternates"])
  func elsewhere(_ name: String) async throws {
    try makeRepository()
    try place.folder(".git/objects/info")
    try place.folder.write("", to: ".git/\(name)")
    #expect(await forms("git status").isEmpty)
  }

  @Test("git looks in the folder that -C or cd names, if that is below")
  func otherFolders() async throws {
    try makeRepository()
    try place.folder("sub")
    try place.folder("nested/.git")
    for line in ["git -C sub status", "cd sub && git status", "cd sub && git -C . status"] {
      #expect(await forms(line) == ["git status"], "\(line)")
    }
    for line in [
      "git -C nested status", "git -C / status", "git -C missing status", "cd nested && git status",
    ] {
      #expect(await forms(line).isEmpty, "\(line)")
    }
  }

  @Test(
    "A real repository is read as git wrote it, and one with a submodule is left alone",
    .enabled(if: FileStatus("/usr/bin/git") != nil))
  func realRepository() async throws {
    func git(_ words: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/git")
      process.arguments =
        ["-C", place.path, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
        + words
      process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "\(words)")
    }
    try git("init", "-q", "-b", "main")
    try place.folder("some/long")
    for name in ["a", "some/long/name.txt", "x"] { try place.folder.write("text", to: name) }
    for version in ["2", "3", "4"] {
      try git("update-index", "--index-version", version)
      try git("add", ".")
      #expect(await reason("git status") == nil)
      #expect(await forms("git status") == ["git status"], "\(version)")
    }
    try git("commit", "-qm", "one")
    try git(
      "update-index", "--add", "--cacheinfo", "160000,0123456789012345678901234567890123456789,some/sub")
    for version in ["2", "4"] {
      try git("update-index", "--index-version", version)
      #expect(await reason("git status")?.contains("submodules") == true)
    }
  }

  @Test("A line that runs what the files say needs the file that says so in this very folder")
  func runningFiles() async throws {
    try place.folder("sub")
    #expect(await forms("make").isEmpty)
    try place.file("Makefile")
    #expect(await forms("make test") == ["make"])
    #expect(await forms("cd sub && make").isEmpty)
    try place.file("sub/Makefile")
    #expect(await reason("cd sub && make") == "it runs in another folder")
    try place.remove("Makefile")
    try place.file("elsewhere")
    try place.link("Makefile", to: "elsewhere")
    #expect(await forms("make").isEmpty)
    #expect(await reason("make") == "there is no Makefile in this folder")
  }

  @Test("A device, a pipe or a folder in place of a file is not read")
  func kinds() async throws {
    try place.folder("inner")
    try place.file("open")
    #expect(mkfifo(place.folder.file("pipe"), 0o600) == 0)
    for line in ["cat pipe", "cat /dev/null", "diff open inner", "sort inner", "cat missing"] {
      #expect(await forms(line).isEmpty, "\(line)")
    }
    #expect(await forms("diff open open", "sort open") == ["diff", "sort"])
  }

  @Test("A file is read in the folder to which the line changes")
  func changing() async throws {
    try place.folder("inner")
    try place.file("inner/a")
    #expect(await forms("cd inner && cat a | wc -l") == ["cat", "wc"])
    #expect(await forms("cat a").isEmpty)
  }

  @Test("A repository behind a link, or one that is only made to look like one, is not trusted")
  func wrongRepositories() async throws {
    try place.folder("elsewhere")
    try place.folder.write("", to: "elsewhere/config")
    try place.link(".git", to: "elsewhere")
    #expect(await forms("git status").isEmpty)
    try place.remove(".git")
    try place.folder("objects")
    try place.file("HEAD")
    #expect(await forms("git status").isEmpty)
  }
}
