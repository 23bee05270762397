/// A program that runs other programs' text, and the rules by which its command line names a file.
struct Interpreter: Sendable {
  /// The input that a command line names for an interpreter.
  enum Input: Hashable {
    /// A file, as it was named.
    case script(String)
    /// Code on the command line itself, as with `sh -c`.
    case code
    /// A module, class or the like, found by other means than a file name.
    case module
    /// Its standard input, named explicitly.
    case input
    /// No input is named: it uses its standard input, or looks for a file by itself.
    case nothing
  }

  let names: Set<String>
  var isShell = false
  var codeOptions: Set<String> = []
  /// Options whose value is the script.
  var scriptOptions: Set<String> = []
  var moduleOptions: Set<String> = []
  /// Options that make it read its standard input.
  var inputOptions: Set<String> = []
  /// Options that are followed by a value.
  var valueOptions: Set<String> = []
  /// Files that it looks for in the folder where it was started if none is named.
  var defaultScripts: [String] = []
  var positional = Positional.script
  /// Whether several one-letter options can be combined: `-euo`.
  var clusters = true

  /// The meaning of an argument that is not an option.
  enum Positional: Hashable {
    /// The script. The arguments that follow are the script's own.
    case script
    /// The name of something else to run; the arguments that follow are its own.
    case module
    /// A goal; options may follow.
    case goal
  }

  /// Returns the interpreter for a file, by its name without a version: `python3.11` is `python`.
  static func named(_ fileName: String) -> Interpreter? {
    let versionless = fileName.prefix { !"0123456789".contains($0) }
    return all.first { $0.names.contains(String(versionless)) }
  }

  private static let all: [Interpreter] = [
    Interpreter(
      names: ["sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "mksh", "yash", "fish"], isShell: true,
      codeOptions: ["-c", "--command"], inputOptions: ["-s"],
      valueOptions: ["-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-C", "--init-command"]),
    Interpreter(
      names: ["python", "pypy"], codeOptions: ["-c"], moduleOptions: ["-m"],
      valueOptions: ["-W", "-X", "--check-hash-based-pycs"]),
    Interpreter(
      names: ["node", "nodejs"], codeOptions: ["-e", "--eval", "-p", "--print", "-pe"],
      valueOptions: [
        "-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions",
      ],
      clusters: false),
    Interpreter(names: ["perl"], codeOptions: ["-e", "-E"], valueOptions: ["-I", "-M", "-m"]),
    Interpreter(names: ["ruby"], codeOptions: ["-e"], valueOptions: ["-I", "-r", "-C", "-E"]),
    Interpreter(
      names: ["php"], codeOptions: ["-r", "-R", "-B", "-E"], scriptOptions: ["-f", "--file"],
      valueOptions: ["-c", "-d", "-z"]),
    Interpreter(names: ["lua", "luajit"], codeOptions: ["-e"], valueOptions: ["-l"]),
    Interpreter(names: ["tclsh", "wish", "expect"], codeOptions: ["-c"], scriptOptions: ["-f"]),
    Interpreter(
      names: ["java"], scriptOptions: ["-jar"],
      valueOptions: ["-cp", "-classpath", "--class-path", "-p", "--module-path"],
      positional: .module, clusters: false),
    Interpreter(
      names: ["make", "gmake"], codeOptions: ["-E", "--eval"], scriptOptions: ["-f", "--file", "--makefile"],
      valueOptions: ["-C", "--directory", "-I", "--include-dir", "-o", "--old-file", "-W", "--what-if"],
      defaultScripts: ["GNUmakefile", "makefile", "Makefile"], positional: .goal),
  ]

  /// Returns the input that these arguments, beginning with the program's own name, make it run.
  func input(of arguments: [String]) -> Input {
    var rest = arguments.dropFirst()
    var scripts: [String] = []
    while let argument = rest.popFirst() {
      guard isOption(argument) else {
        if positional == .goal { continue }
        if positional == .module, scripts.isEmpty, argument != "--" { return .module }
        return positional == .script ? script(argument == "--" ? rest.first : argument) : .nothing
      }
      for option in options(in: argument) {
        if codeOptions.contains(option.name) { return .code }
        if moduleOptions.contains(option.name) { return .module }
        if inputOptions.contains(option.name) { return .input }
        let isScript = scriptOptions.contains(option.name)
        guard isScript || valueOptions.contains(option.name) else { continue }
        // The value is the rest of the argument, or the next one.
        let value = option.value ?? rest.popFirst()
        if isScript { scripts.append(value ?? "") }
        if isScript, positional != .goal { return script(value) }
        break
      }
    }
    // A recipe may come from any of several files.
    if scripts.count > 1 { return .module }
    return scripts.first.map { script($0) } ?? .nothing
  }

  private func script(_ argument: String?) -> Input {
    guard let argument, !argument.isEmpty else { return .nothing }
    return argument == "-" ? .input : .script(argument)
  }

  private func isOption(_ argument: String) -> Bool {
    guard argument.count > 1, argument != "--" else { return false }
    return argument.hasPrefix("-") || (isShell && argument.hasPrefix("+"))
  }

  /// Returns the options in one argument, each with the rest of the argument after it: `-euo` is `-e`, `-u` and `-o`.
  private func options(in argument: String) -> [(name: String, value: String?)] {
    if let equals = argument.firstIndex(of: "="), argument.hasPrefix("--") || !clusters {
      return [(String(argument[..<equals]), String(argument[argument.index(after: equals)...]))]
    }
    guard clusters, !argument.hasPrefix("--"), let sign = argument.first else { return [(argument, nil)] }
    return argument.indices.dropFirst().map { place in
      let left = argument[argument.index(after: place)...]
      return ("\(sign)\(argument[place])", left.isEmpty ? nil : String(left))
    }
  }
}
