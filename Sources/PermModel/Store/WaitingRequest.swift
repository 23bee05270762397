/// A request that has no answer yet.
public struct WaitingRequest: Hashable, Sendable, Codable, Identifiable {
  public var request: Request
  /// When the person set it aside to answer later; `nil` if not.
  public var setAsideAt: Timestamp?
  /// The process whose end withdraws the request: the program, or for asking code inside a process that one.
  public var process: ProcessIdentity

  public init(_ request: Request, process: ProcessIdentity, setAsideAt: Timestamp? = nil) {
    self.request = request
    self.process = process
    self.setAsideAt = setAsideAt
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

/// What a store knows about the id of a request.
public enum RequestState: Hashable, Sendable {
  case new
  case waiting
  /// It has ended, as this entry of the journal tells.
  case ended(JournalEntry)
}
