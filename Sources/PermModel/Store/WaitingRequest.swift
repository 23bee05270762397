/// A request that has no answer yet.
public struct WaitingRequest: Hashable, Sendable, Codable, Identifiable {
  public var request: Request
  /// When the person set it aside to answer later; `nil` if not.
  public var setAsideAt: Timestamp?
  /// The process whose end withdraws the request: the program, or for asking code inside a process that one.
  public var process: ProcessIdentity
  /// The terminal on which its program asks about it itself, for example `pts/2`; `nil` if it does not.
  public var terminal: String?

  public init(
    _ request: Request, process: ProcessIdentity, setAsideAt: Timestamp? = nil, terminal: String? = nil
  ) {
    self.request = request
    self.process = process
    self.setAsideAt = setAsideAt
    self.terminal = terminal
  }

  public var id: Request.ID { request.id }
}

/// How a request ended.
public enum RequestOutcome: Hashable, Sendable {
  /// A person answered it. What the answer keeps is stored in the same transaction.
  case answered(Answer)
  /// A decision that was made meanwhile covers it, or something denied it without an alert; why, in words.
  case automatic(Verdict, reason: String)
  /// Ended without an answer.
  case dismissed
  /// The program went away.
  case withdrawn
  /// The program stopped waiting.
  case timedOut
}
