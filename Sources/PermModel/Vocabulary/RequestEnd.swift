/// How a request ended.
public enum RequestEnd: Hashable, Sendable {
  /// It was answered: by a person, here or elsewhere, or by what was decided meanwhile.
  case answered(GivenAnswer)
  /// A person ended it without an answer.
  case dismissed
  /// Nobody answered in time.
  case timedOut
  /// The program went away, or is no longer the one that asked.
  case withdrawn
  /// Nobody is there who could answer.
  case nobodyThere
  /// It cannot be had: why, in words.
  case unavailable(reason: String)

  /// The answer; `nil` if there was none.
  public var answer: GivenAnswer? {
    if case .answered(let answer) = self { answer } else { nil }
  }
}

/// What an answer said, whether or not it was kept. It belongs to the requests that it answered, and to no other.
public struct GivenAnswer: Hashable, Sendable {
  /// The answer as a whole. An allow may be for less than was asked.
  public var verdict: Verdict
  public var allowed: Set<Atom>
  public var denied: Set<Atom>
  public var at: Timestamp
  /// The note of the person, or why no person was asked, in words.
  public var reason: String?

  public init(
    _ verdict: Verdict, allowed: Set<Atom> = [], denied: Set<Atom> = [], at: Timestamp, reason: String? = nil
  ) {
    self.verdict = verdict
    self.allowed = allowed
    self.denied = denied
    self.at = at
    self.reason = reason
  }

  /// An answer to some atoms: all of them allowed, or all denied.
  package init(_ verdict: Verdict, to atoms: Set<Atom>, at moment: Timestamp, reason: String? = nil) {
    self.init(verdict, at: moment, reason: reason)
    if verdict == .allow { allowed = atoms } else { denied = atoms }
  }

  init(_ answer: Answer, at moment: Timestamp) {
    self.init(answer.verdict, to: answer.atoms, at: moment, reason: answer.note)
    denied.formUnion(answer.withheld)
  }
}

extension RequestEnd {
  /// The end that an entry of the journal records; `nil` if it records something else.
  package init?(_ entry: JournalEntry) {
    guard entry.request != nil else { return nil }
    switch entry.kind {
    case .answered, .automatic:
      self = .answered(
        GivenAnswer(entry.verdict ?? .deny, to: entry.atoms, at: entry.at, reason: entry.text))
    case .dismissed: self = .dismissed
    case .withdrawn: self = .withdrawn
    case .timedOut: self = .timedOut
    default: return nil
    }
  }
}
