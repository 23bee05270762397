import PermModel

/// The reply to a question of a Deno process.
struct DenoReply: Hashable, Sendable {
  var verdict: Verdict
  /// The reason for a denial, which Deno prints in the program's terminal.
  var reason: String?

  static let allow = DenoReply(verdict: .allow)

  static func deny(_ reason: String?) -> DenoReply { DenoReply(verdict: .deny, reason: reason) }

  /// The maximum length of a reason in characters.
  private static let longestReason = 400

  /// Returns the line that answers the question with this number.
  ///
  /// Deno prints the reason as it is, so every character that could control the terminal is escaped visibly first.
  func line(to id: UInt64) -> [UInt8] {
    var text = "{\"id\":\(id),\"result\":\"\(verdict.rawValue)\""
    if verdict == .deny, let reason {
      let plain = VisibleText.escaped(String(reason.prefix(Self.longestReason)))
      text += ",\"reason\":\(plain.jsonQuoted)"
    }
    return Array((text + "}\n").utf8)
  }
}

extension DenoReply {
  /// Creates a reply from the end of a request. Any end but an allow is a denial.
  init(_ end: Methods.Request.Reply) {
    switch end.state {
    case .allowed: self = .allow
    case .denied: self = .deny(end.explanation ?? "denied in PermTUI")
    case .dismissed, .timedOut, .waiting: self = .deny(end.explanation ?? "nobody answered in PermTUI")
    case .withdrawn, .unavailable: self = .deny(end.explanation ?? "PermTUI could not ask")
    }
  }

  init(_ error: any Error) {
    switch error {
    case let error as DenoRefusal: self = .deny(error.reason)
    case BrokerError.invalid(_, let reason): self = .deny(reason)
    case is CancellationError: self = .deny("the question was withdrawn")
    default: self = .deny("\(BrokerError(error))")
    }
  }
}
