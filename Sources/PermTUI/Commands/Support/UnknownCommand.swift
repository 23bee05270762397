import ArgumentParser
import PermModel

/// Detects a command line that was refused because its first word is not a command, and guesses the intended one.
enum UnknownCommand {
  /// Returns the error to show instead of the parser's, which only says that it did not expect the word.
  static func error(in arguments: some Sequence<String>, commands: [String]) -> CommandError? {
    guard let word = firstWord(of: arguments), !commands.contains(word), word != "help" else { return nil }
    let meant = word.nearest(in: commands)
    return .usage(
      "there is no command '\(word)'",
      advice: (meant.map { ["did you mean 'permtui \($0)'?"] } ?? []) + [
        "see 'permtui --help' for all commands"
      ])
  }

  /// Returns the first argument that is neither an option nor an option's value.
  private static func firstWord(of arguments: some Sequence<String>) -> String? {
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
      } else if argument == "--store" {
        isValue = true
      } else if !argument.hasPrefix("-") {
        return argument
      }
    }
    return nil
  }
}
