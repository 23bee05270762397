import ArgumentParser
import Machine
import PermModel

/// The arguments after the program's name on its command line.
enum ProgramArguments {
  /// Returns the arguments. Swift looks for them on the stack, but finds none if certain libraries, such as
  /// libfaketime, are preloaded. This function then reads them from `/proc`. Without its arguments, any command would
  /// open the dashboard.
  ///
  /// - Throws: ``CommandError`` if there is no `/proc`, where Swift looks for the stack.
  static func given() throws(CommandError) -> [String] {
    if CommandLine.argc > 0 { return bytes.dropFirst().map { String(cString: $0) } }
    guard let line = try? TextFile(path: "/proc/self/cmdline").read(), !line.isEmpty else {
      throw CommandError(
        "/proc cannot be read, so it is not known what was typed, or which programs ask",
        advice: ["mount it: mount -t proc proc /proc"])
    }
    return line.split(separator: "\0", omittingEmptySubsequences: false).dropFirst().dropLast().map(
      String.init)
  }

  /// The program's name and its arguments as the kernel passed them on. `CommandLine.arguments` would look up the types
  /// of the standard library at run time, which takes longer than to print the version.
  static var bytes: [UnsafeMutablePointer<CChar>] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
  }

  /// If an argument is not text in UTF-8, returns an error that says how to write its bytes. The parser would replace
  /// such bytes, so that the argument would name another file.
  static func wrongEncoding() -> CommandError? {
    guard bytes.contains(where: { String(validatingCString: $0) == nil }) else { return nil }
    return .usage(
      "an argument is not text in UTF-8",
      advice: ["in a path, write such a byte as an escape, for example \\xe9"])
  }

  /// The variables that name folders and files of this program.
  private static let places = [
    "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "PERMTUI_STORE",
    "PERMTUI_SOCKETS",
  ]

  /// If a variable that names a folder is not text in UTF-8, returns an error. Its bytes would be replaced, so that the
  /// store would be made in another folder beside it.
  static func wrongPlaces() -> CommandError? {
    guard let name = places.first(where: { !Environment.isText($0) }) else { return nil }
    return .usage(
      "the environment variable \(name) is not text in UTF-8",
      advice: ["name a folder whose name is, for example by PERMTUI_STORE and XDG_CONFIG_HOME"])
  }

  /// If an option or an argument is empty, as after `--reason="$R"` where R is unset, returns an error. The parser would
  /// take the next word for the option's value, so that what was asked would be missing from the question.
  static func emptyValue(in arguments: [String]) -> CommandError? {
    // The completion scripts pass on the word that is being typed, which can be empty.
    guard arguments.first?.hasPrefix("---") != true else { return nil }
    let own = arguments.prefix { $0 != "--" }
    guard let place = own.firstIndex(where: { $0.isEmpty || $0.isOptionWithoutValue }) else { return nil }
    let before = place > 0 && own[place].isEmpty ? own[place - 1] : ""
    let name = own[place].isEmpty ? before : String(own[place].dropLast())
    let subject = name.isOption ? "'\(name)' needs a value, and it is empty" : "an argument is empty"
    return .usage(subject, advice: ["is a variable unset?"])
  }

  /// If an option does not exist, returns an error that names it. The parser sometimes only says which argument it missed.
  ///
  /// - Parameter help: The command's help, which has all of its options.
  static func unknownOption(in arguments: [String], of name: String, help: String) -> CommandError? {
    let known = Set(help.split { " ,\n[]()|".contains($0) }.map(String.init).filter(\.isOption))
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.isOption {
      let option = argument.prefix { $0 != "=" }
      let isKnown =
        option.hasPrefix("--") ? known.contains(String(option)) : known.contains(String(option.prefix(2)))
      guard !isKnown else { continue }
      let meant = String(option).nearest(in: known.sorted())
      return .usage(
        "'permtui \(name)' has no option '\(option)'",
        advice: (meant.map { ["did you mean '\($0)'?"] } ?? []) + [
          "see 'permtui \(name) --help' for all options"
        ])
    }
    return nil
  }

  /// If `help` is asked about a command that does not exist, returns the same error as for that command.
  static func unknownTopic(in arguments: [String], commands: [String]) -> CommandError? {
    guard arguments.first == "help", let topic = arguments.dropFirst().first, !topic.isOption else {
      return nil
    }
    return unknownCommand(in: [topic], commands: commands)
  }

  /// If the first word is not a command, returns an error that suggests the intended command. The parser's own error
  /// would only say that the word was unexpected.
  static func unknownCommand(in arguments: [String], commands: [String]) -> CommandError? {
    guard let word = firstWord(of: arguments), !commands.contains(word), word != "help" else { return nil }
    let meant = word.nearest(in: commands)
    return .usage(
      "there is no command '\(word)'",
      advice: (meant.map { ["did you mean 'permtui \($0)'?"] } ?? []) + [
        "see 'permtui --help' for all commands"
      ])
  }

  /// Returns the first argument that is neither an option nor an option's value.
  static func firstWord(of arguments: [String]) -> String? {
    var isValue = false
    for argument in arguments {
      if !isValue, !argument.hasPrefix("-") { return argument }
      isValue = !isValue && argument == "--store"
    }
    return nil
  }
}

extension String {
  /// Whether a word of a command line is an option, and neither a number nor the sign for standard input.
  fileprivate var isOption: Bool {
    count > 1 && hasPrefix("-") && dropFirst().first?.isNumber == false
  }

  fileprivate var isOptionWithoutValue: Bool { isOption && firstIndex(of: "=") == indices.last }
}
