/// The reason why a question of an agent is left to the agent's own dialog, or a question of ssh is refused.
package enum UnaskedReason: String, Error, Codable, CaseIterable, Sendable {
  /// The message is not JSON, or lacks members that a message has.
  case unreadable
  /// The message, or a value in it, is longer than a request can be.
  case tooLong = "too_long"
  /// The input of the tool is not as expected, or could be read in two ways.
  case unclear
  /// The question to an askpass program could be read in two ways.
  case unclearAskpass = "unclear_askpass"
}

extension UnaskedReason {
  /// Whether an agent has asked, whose decisions hold in its folder only.
  var isOfAgent: Bool { self != .unclearAskpass }

  /// The reason to record in the journal.
  var journalReason: String {
    switch self {
    case .unreadable: "left to the agent's own dialog: its message cannot be read"
    case .tooLong: "left to the agent's own dialog: its question is too long to be shown"
    case .unclear: "left to the agent's own dialog: its question could be understood in two ways"
    case .unclearAskpass: "a question of ssh was refused: it could be understood in two ways"
    }
  }
}
