/// A program that runs other programs' text, and how its command line says which file.
struct Interpreter: Sendable {
  /// What a command line asks an interpreter to run.
  enum Input: Hashable {
    /// A file, as it was named.
    case script(String)
    /// Code that stands on the command line itself, as with `sh -c`.
    case code
    /// What is typed or piped into it, or a module without a file name.
    case other
  }

  let names: Set<String>
  let isShell: Bool
  /// Options that give code on the command line.
  let codeOptions: Set<String>
  /// Options whose value is the script.
  let scriptOptions: Set<String>
  /// Options that end the search: what follows names no file.
  let otherInputOptions: Set<String>
  /// Options that have a value of their own behind them.
  let valueOptions: Set<String>
  /// Files that it looks for where it was started if none is named.
  let defaultScripts: [String]
  let positional: Positional

  /// What an argument that is no option is.
  enum Positional: Hashable {
    /// The script. What follows is the script's own.
    case script
    /// The name of something else to run; what follows is its own.
    case end
    /// A goal; options may follow.
    case goal
  }

  private init(
    _ names: Set<String>, isShell: Bool = false, code: Set<String> = [], script: Set<String> = [],
    other: Set<String> = [], values: Set<String> = [], defaults: [String] = [],
    positional: Positional = .script
  ) {
    self.names = names
    self.isShell = isShell
    codeOptions = code
    scriptOptions = script
    otherInputOptions = other
    valueOptions = values
    defaultScripts = defaults
    self.positional = positional
  }

  /// The interpreter that a file is, by its name without a version: `python3.11` is `python`.
  static func named(_ fileName: String) -> Interpreter? {
    let versionless = fileName.prefix { !"0123456789".contains($0) }
    return all.first { $0.names.contains(String(versionless)) }
  }

  private static let all: [Interpreter] = [
    Interpreter(
      ["sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "mksh", "yash", "fish"], isShell: true,
      code: ["-c", "--command"], other: ["-s"],
      values: ["-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-C", "--init-command"]),
    Interpreter(
      ["python", "pypy"], code: ["-c"], other: ["-m"], values: ["-W", "-X", "--check-hash-based-pycs"]),
    Interpreter(
      ["node", "nodejs"], code: ["-e", "--eval", "-p", "--print"],
      values: ["-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions"]),
    Interpreter(["perl"], code: ["-e", "-E"], values: ["-I", "-M", "-m"]),
    Interpreter(["ruby"], code: ["-e"], values: ["-I", "-r", "-C", "-E"]),
    Interpreter(["php"], code: ["-r"], script: ["-f", "--file"], values: ["-c", "-d", "-z"]),
    Interpreter(["lua", "luajit"], code: ["-e"], values: ["-l"]),
    Interpreter(["tclsh", "wish", "expect"], code: ["-c"], script: ["-f"]),
    Interpreter(
      ["java"], script: ["-jar"], values: ["-cp", "-classpath", "--class-path", "-p", "--module-path"],
      positional: .end),
    Interpreter(
      ["make", "gmake"], script: ["-f", "--file", "--makefile"],
      values: ["-C", "-I", "-o", "-W", "-j", "-l"],
      defaults: ["GNUmakefile", "makefile", "Makefile"], positional: .goal),
  ]

  /// What these arguments, the program's own name first, make it run.
  func input(of arguments: [String]) -> Input {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard let option = Option(argument, isShell: isShell) else {
        if argument == "--" { return script(rest.first) }
        if positional == .goal { continue }
        return script(argument)
      }
      if let file = attachedScript(option) { return .script(file) }
      if !codeOptions.isDisjoint(with: option.spellings) { return .code }
      if !otherInputOptions.isDisjoint(with: option.spellings) { return .other }
      if !scriptOptions.isDisjoint(with: option.spellings) { return rest.first.map(Input.script) ?? .other }
      if !option.hasValue, !valueOptions.isDisjoint(with: option.spellings) { rest = rest.dropFirst() }
    }
    return .other
  }

  private func script(_ argument: String?) -> Input {
    guard positional == .script, let argument, argument != "-", !argument.isEmpty else { return .other }
    return .script(argument)
  }

  /// The value in `--file=Makefile`.
  private func attachedScript(_ option: Option) -> String? {
    scriptOptions.isDisjoint(with: option.spellings) ? nil : option.value
  }
}

/// One argument that begins with a dash.
private struct Option {
  /// The ways in which it can be written: the letters of `-euo` are `-e`, `-u` and `-o`.
  var spellings: Set<String>
  /// What stands behind the sign of equality.
  var value: String?
  var hasValue: Bool { value != nil }

  /// `nil` for an argument that is no option.
  init?(_ argument: String, isShell: Bool) {
    guard argument.count > 1, argument.hasPrefix("-") || (isShell && argument.hasPrefix("+")),
      argument != "--"
    else { return nil }
    if let equals = argument.firstIndex(of: "=") {
      spellings = [String(argument[..<equals])]
      value = String(argument[argument.index(after: equals)...])
      return
    }
    spellings = [argument]
    if isShell, !argument.hasPrefix("--"), let sign = argument.first {
      spellings.formUnion(argument.dropFirst().map { "\(sign)\($0)" })
    }
  }
}
