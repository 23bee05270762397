/// The way in which a request ended.
public enum RequestEnd: Hashable, Sendable {
  /// Answered by a person, or by a decision made in the meantime.
  case answered(GivenAnswer)
  /// Ended by a person without an answer.
  case dismissed
  /// Not answered in time.
  case timedOut
  /// Withdrawn because the program went away, or because what it asked for is no longer the same. The reason is in words;
  /// it is `nil` if the program simply stopped waiting.
  case withdrawn(reason: String? = nil)
  /// Ended because nobody is there to answer.
  case nobodyThere
  /// Ended because the capability is not available, with the reason in words.
  case unavailable(reason: String)

  /// The reason if the program withdrew the request because its user answered there. The other reasons follow it.
  package static let answeredInAgent = "answered in the agent"
  package static let programChanged = "the program has changed since it asked"
  package static let pathChanged = "a path leads elsewhere than when it was asked about"
  package static let processGone = "its process is gone"

  package var answer: GivenAnswer? {
    if case .answered(let answer) = self { answer } else { nil }
  }

  /// The reason in the journal, in words; `nil` if the end alone says enough.
  var reason: String? {
    switch self {
    case .answered(let answer): answer.reason
    case .withdrawn(let reason): reason
    case .dismissed, .timedOut, .nobodyThere, .unavailable: nil
    }
  }
}

/// The content of an answer, whether or not the answer was kept. It applies only to the requests to which it was given.
public struct GivenAnswer: Hashable, Sendable {
  /// The overall verdict. Even if it is `allow`, the answer can cover less than was requested.
  public var verdict: Verdict
  public var allowed: Set<Atom>
  public var denied: Set<Atom>
  package var at: Timestamp
  /// The person's note, or the reason in words why no person was asked.
  public var reason: String?
  /// Whether the answer is among the decisions of the store, which then say whether it still counts.
  package var isKept = false

  package init(
    _ verdict: Verdict, allowed: Set<Atom> = [], denied: Set<Atom> = [], at: Timestamp, reason: String? = nil
  ) {
    self.verdict = verdict
    self.allowed = allowed
    self.denied = denied
    self.at = at
    self.reason = reason
  }

  /// Creates an answer that allows or denies all of these atoms.
  package init(_ verdict: Verdict, to atoms: Set<Atom>, at moment: Timestamp, reason: String? = nil) {
    self.init(verdict, at: moment, reason: reason)
    if verdict == .allow { allowed = atoms } else { denied = atoms }
  }

  init(_ answer: Answer, at moment: Timestamp) {
    self.init(answer.verdict, to: answer.atoms, at: moment, reason: answer.note)
    denied.formUnion(answer.withheld)
    isKept = answer.isKept
  }
}

extension RequestEnd {
  /// Creates the end of a request from the journal entry that records it; `nil` if the entry records something else.
  package init?(_ entry: JournalEntry) {
    guard entry.request != nil else { return nil }
    switch entry.kind {
    case .answered, .automatic:
      var answer = GivenAnswer(entry.verdict ?? .deny, to: entry.atoms, at: entry.at, reason: entry.text)
      answer.isKept = entry.kind == .automatic || entry.isKept
      self = .answered(answer)
    case .dismissed: self = .dismissed
    case .withdrawn: self = .withdrawn(reason: entry.text)
    case .timedOut: self = .timedOut
    default: return nil
    }
  }
}
