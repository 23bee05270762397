/// Why a command could not do what it was told, in words for the person who typed it.
///
/// Everything that goes wrong below the command line ends up as one of these, so that message and exit status are
/// decided in one place.
struct CommandError: Error, Hashable {
  /// What was wrong: one sentence without a full stop at its end.
  var message: String
  /// What to do about it, one line each.
  var advice: [String]
  var status: ExitStatus

  init(_ message: String, advice: [String] = [], status: ExitStatus = .failed) {
    self.message = message
    self.advice = advice
    self.status = status
  }

  /// A command line that cannot be meant as it stands.
  static func usage(_ message: String, advice: [String] = []) -> CommandError {
    CommandError(message, advice: advice, status: .usage)
  }
}

extension CommandError: CustomStringConvertible {
  /// The message, and below it what to do.
  var description: String { ([message] + advice.map { "  " + $0 }).joined(separator: "\n") }
}
