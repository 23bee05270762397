/// An interpreter, such as a shell or Python, with the rules for finding the script's name in a command line.
struct Interpreter: Sendable {
  /// The input that a command line tells an interpreter to run.
  enum Input: Hashable {
    /// A script file, with its name as given on the command line.
    case script(String)
    /// A script at an address, such as `https://example.org/mod.ts`.
    case address(String)
    /// Code on the command line itself, as with `sh -c`.
    case code
    /// A module, a class or the like, which the interpreter finds by means other than a file name.
    case module
    /// Standard input, named explicitly.
    case input
    /// No named input: the interpreter reads its standard input, or looks for a file with a default name.
    case nothing
  }

  let names: Set<String>
  var isShell = false
  var codeOptions: Set<String> = []
  /// Options whose value is the script.
  var scriptOptions: Set<String> = []
  var moduleOptions: Set<String> = []
  /// Options that make the interpreter read its standard input.
  var inputOptions: Set<String> = []
  /// Options that take a value.
  var valueOptions: Set<String> = []
  /// The names of files that the interpreter looks for in its working folder if the command line names no file.
  var defaultScripts: [String] = []
  var positional = Positional.script
  /// Whether several one-letter options can be combined in one argument, as in `-euo`.
  var clusters = true
  /// Reads the command line of an interpreter that none of the other properties describes.
  var read: (@Sendable (_ arguments: [String]) -> Input)?

  /// The meaning of an argument that is not an option.
  enum Positional: Hashable {
    /// The script. All arguments after it are passed to the script.
    case script
    /// The name of a module or the like, not of a file. All arguments after it are passed to the module.
    case module
    /// A goal, as for `make`. More options might follow it.
    case goal
  }

  /// Returns the interpreter with this file name, ignoring the version: `python3.11` is treated as `python`.
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
    Interpreter(names: ["deno"], read: { DenoCommandLine($0).input }),
  ]

  /// Returns the input that a command line makes the interpreter run. The first argument is the interpreter's own name.
  func input(of arguments: [String]) -> Input {
    if let read { return read(arguments) }
    var rest = arguments.dropFirst()
    var scripts: [String] = []
    while let argument = rest.popFirst() {
      guard isOption(argument) else {
        if positional == .goal { continue }
        if positional == .module, scripts.isEmpty, argument != "--" { return .module }
        return positional == .script ? script(argument == "--" ? rest.first : argument) : .nothing
      }
      if argument.hidesLetters { return .code }
      for option in options(in: argument) {
        if codeOptions.contains(option.name) { return .code }
        if moduleOptions.contains(option.name) { return .module }
        if inputOptions.contains(option.name) { return .input }
        let isScript = scriptOptions.contains(option.name)
        guard isScript || valueOptions.contains(option.name) else { continue }
        // The value is the remainder of this argument or, if nothing remains, the next argument.
        let value = option.value ?? rest.popFirst()
        if isScript { scripts.append(value ?? "") }
        if isScript, positional != .goal { return script(value) }
        break
      }
    }
    // A recipe might come from any of several makefiles, so no single script can be named.
    if scripts.count > 1 { return .module }
    return scripts.first.map { script($0) } ?? .nothing
  }

  private func script(_ argument: String?) -> Input {
    guard let argument, !argument.isEmpty else { return .nothing }
    return argument == "-" ? .input : .script(argument)
  }

  private func isOption(_ argument: String) -> Bool {
    guard argument.utf8.count > 1, argument != "--" else { return false }
    return argument.utf8.first == UInt8(ascii: "-") || (isShell && argument.utf8.first == UInt8(ascii: "+"))
  }

  /// Returns the options in one argument, each with the remainder of the argument. For example, `-euo` contains `-e`,
  /// `-u` and `-o`.
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

extension String {
  /// Whether a character consists of several scalars, as a letter with an accent can. An interpreter sees the letter of
  /// an option, whatever follows it, but a comparison of characters does not.
  var hidesLetters: Bool { unicodeScalars.count != count }
}
