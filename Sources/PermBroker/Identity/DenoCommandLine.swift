import PermModel

/// The command line of a Deno process, as Deno 2.9 reads it.
struct DenoCommandLine {
  /// The words that are neither options nor their values, up to `--`.
  private let words: [String]
  /// The arguments after `--`.
  private let rest: [String]
  /// Whether an option names other code that runs beside the script, or lets others put code into it.
  private let loadsOtherCode: Bool

  init(_ arguments: [String]) {
    var words: [String] = []
    var left = arguments.dropFirst()
    var loadsOtherCode = false
    while let argument = left.popFirst(), argument != "--" {
      guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
        words.append(argument)
        // The words after the script are the script's own arguments.
        if Self.namesScript(words) { break }
        continue
      }
      if argument.hidesLetters || Self.loadsCode(argument) { loadsOtherCode = true }
      if Self.takesNextArgument(argument) { _ = left.popFirst() }
    }
    self.words = words
    self.loadsOtherCode = loadsOtherCode
    rest = Array(left)
  }

  /// The input that Deno runs.
  var input: Interpreter.Input {
    if loadsOtherCode { return .code }
    guard let first = words.first else { return rest.first.map(Self.script) ?? .code }
    switch first {
    case "run", "serve", "watch": return (words.dropFirst().first ?? rest.first).map(Self.script) ?? .module
    case "test", "bench":
      // Several files run in one process, so it is not known which of them asks.
      return words.count == 2 ? Self.script(words[1]) : .module
    case "eval", "repl", "jupyter": return .code
    default: return Self.others.contains(first) ? .module : Self.script(first)
    }
  }

  /// Whether the last of these words is the only script.
  private static func namesScript(_ words: [String]) -> Bool {
    guard let first = words.first, !["test", "bench"].contains(first) else { return false }
    return words.count == (runners.contains(first) ? 2 : 1)
  }

  private static func script(_ word: String) -> Interpreter.Input {
    if word == "-" { return .input }
    if isAddress(word) { return .address(word) }
    // Other addresses, such as `npm:cowsay`, do not say by themselves which code is meant.
    let scheme = word.prefix { $0 != ":" }
    let hasScheme = scheme.count < word.count && scheme.utf8.first?.isLetter == true && !scheme.contains("/")
    return hasScheme ? .module : .script(word)
  }

  /// Whether a word is an `https` address in its usual spelling, with a path.
  private static func isAddress(_ word: String) -> Bool {
    let start = "https://"
    guard word.hasPrefix(start), word.utf8.count <= 1_024 else { return false }
    let parts = word.dropFirst(start.count).split(separator: "/", maxSplits: 1)
    guard parts.count == 2, case .host(let host, let port)? = try? Scope(parts[0], kind: .host) else {
      return false
    }
    let authority = host.name + (port.map { ":\($0)" } ?? "")
    return authority == parts[0] && (try? ForeignText.check(name: word)) != nil && !parts[1].contains("?")
  }

  // MARK: Words and options

  private static let runners: Set<String> = ["run", "serve", "watch"]

  /// The other subcommands. None of them runs a single script.
  private static let others: Set<String> = [
    "fmt", "lint", "upgrade", "cache", "check", "info", "doc", "task", "compile", "coverage", "install", "i",
    "uninstall", "types", "completions", "init", "create", "publish", "add", "remove", "rm", "outdated",
    "update",
    "deploy", "sandbox", "clean", "list", "ls", "link", "unlink", "approve-scripts", "lsp", "vendor",
    "bundle",
    "audit", "why", "transpile", "bump-version", "ci", "desktop", "pack", "x", "help",
  ]

  /// The options whose value is the next argument. The values of all others follow an equals sign.
  private static let withValue: Set<String> = [
    "--cert", "--conditions", "--config", "--coverage-threshold", "--ext", "--filter", "--host",
    "--import", "--import-map",
    "--inspect-publish-uid", "--junit-path", "--location", "--log-level", "--min-dep-age",
    "--node-modules-linker", "--package", "--port", "--preload", "--related", "--repeats", "--reporter",
    "--require", "--retry", "--seed", "--shard",
  ]
  private static let lettersWithValue: Set<Character> = ["c", "L", "p"]

  /// Whether an option names code, or a file that decides which code is loaded; or opens the script to a debugger.
  private static func loadsCode(_ option: String) -> Bool {
    let name = option.prefix { $0 != "=" }
    guard name.hasPrefix("--") else { return name.first(where: lettersWithValue.contains) == "c" }
    return namingCode.contains(String(name)) || name.hasPrefix("--inspect")
  }

  private static let namingCode: Set<String> = [
    "--preload", "--import", "--require", "--import-map", "--config",
  ]

  private static func takesNextArgument(_ option: String) -> Bool {
    if option.contains("=") { return false }
    if option.hasPrefix("--") { return withValue.contains(option) }
    // In a group of letters, what follows a letter with a value is its value.
    let letters = option.dropFirst()
    return letters.firstIndex(where: lettersWithValue.contains).map {
      letters.index(after: $0) == letters.endIndex
    }
      ?? false
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5a).contains(self & 0xdf) }
}
