import ArgumentParser
import PermModel

/// The arguments after the program's name on its command line.
enum ProgramArguments {
  /// Returns the arguments. Swift looks for them on the stack, but finds none if certain libraries, such as
  /// libfaketime, are preloaded. This function then reads them from `/proc`. Without its arguments, any command would
  /// open the dashboard.
  static func given() -> [String] {
    if CommandLine.argc > 0 { return bytes.dropFirst().map { String(cString: $0) } }
    let line = (try? TextFile(path: "/proc/self/cmdline").read()) ?? ""
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
  private static func firstWord(of arguments: [String]) -> String? {
    var isValue = false
    for argument in arguments {
      if !isValue, !argument.hasPrefix("-") { return argument }
      isValue = !isValue && argument == "--store"
    }
    return nil
  }
}
