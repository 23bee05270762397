// The programs that run what the files in the working folder say.

extension PossibleLine {
  /// Whether a command in the line runs what files in the folder say.
  package var runsFolder: Bool { commands.contains { ProgramTable.runsFolder($0.words.lazy.map(\.text)) } }
}

extension ProgramTable {
  /// Whether a command runs what files in the folder say, so that whoever can write there chooses what it does.
  ///
  /// - Parameter words: The words of the command, the program first.
  static func runsFolder(_ words: some Collection<String>) -> Bool {
    guard let first = words.first else { return false }
    let program = name(first)
    if first.hasPrefix("./") || first.hasPrefix("../") { return true }
    if first.utf8.contains(UInt8(ascii: "/")), !first.hasPrefix("/") { return true }
    if builders.contains(program) { return true }
    let operands = words.dropFirst().lazy.filter { !$0.hasPrefix("-") }
    if let subcommands = building[program] { return operands.first.map(subcommands.contains) == true }
    return runsScripts(program) && !operands.isEmpty
  }

  /// Whether a program runs the file that it is given.
  private static func runsScripts(_ name: String) -> Bool {
    isShell(name) || scripting.contains(stem(name))
  }

  private static let builders: Set<String> = [
    "make", "gmake", "ninja", "just", "task", "rake", "tox", "nox", "pytest", "jest", "vitest", "mocha",
    "gradle",
    "gradlew", "mvn", "mvnw", "bazel", "scons", "meson", "cmake", "ctest", "tsc", "eslint", "webpack", "vite",
    "rspec",
    "phpunit", "mypy", "pre-commit", "npx", "pnpx", "bunx",
  ]

  private static let scripting: Set<String> = [
    "python", "pypy", "node", "nodejs", "deno", "bun", "ruby", "perl", "php", "lua", "Rscript", "julia",
    "tclsh",
    "ts-node", "tsx",
  ]

  private static let packageScripts: Set<String> = [
    "test", "t", "run", "run-script", "start", "build", "ci", "install", "i", "exec", "x", "lint", "dev",
    "check",
  ]

  /// The subcommands with which other programs do so.
  private static let building: [String: Set<String>] = [
    "npm": packageScripts, "pnpm": packageScripts, "yarn": packageScripts,
    "cargo": [
      "build", "b", "test", "t", "check", "c", "run", "r", "bench", "clippy", "doc", "fix", "install",
      "nextest",
    ],
    "swift": ["build", "test", "run", "package"],
    "go": ["build", "test", "run", "generate", "vet", "install", "tool"],
    "dotnet": ["build", "test", "run", "publish", "restore"], "uv": ["run", "sync", "build"],
    "poetry": ["run", "build", "install"], "bundle": ["exec", "install"], "mix": ["compile", "test", "run"],
    "docker-compose": ["up", "run", "build"],
  ]
}
