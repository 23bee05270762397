/// An answer that is kept.
public struct Decision: Hashable, Sendable, Codable {
  public var subject: Subject
  public var atom: Atom
  public var verdict: Verdict
  public var lifetime: Lifetime
  /// The person, command or rule that decided.
  public var origin: Origin
  /// The person's note on the answer.
  public var note: String?
  public var decidedAt: Timestamp
  /// When the decision last answered a request; `nil` if it has not answered any.
  public var lastUsed: Timestamp?

  public init(
    subject: Subject, atom: Atom, verdict: Verdict, lifetime: Lifetime, origin: Origin, note: String? = nil,
    decidedAt: Timestamp, lastUsed: Timestamp? = nil
  ) {
    self.subject = subject
    self.atom = atom
    self.verdict = verdict
    self.lifetime = lifetime
    self.origin = origin
    self.note = note
    self.decidedAt = decidedAt
    self.lastUsed = lastUsed
  }
}

extension Decision {
  /// The key of a decision: one program and one atom. There is at most one decision for each key.
  public struct Key: Hashable, Sendable, Codable {
    public var subject: Subject
    public var atom: Atom

    public init(subject: Subject, atom: Atom) {
      self.subject = subject
      self.atom = atom
    }
  }

  public var key: Key { Key(subject: subject, atom: atom) }

  /// Whether two decisions are equal apart from the time of their last use.
  func saysTheSame(as other: Decision?) -> Bool {
    var unused = self
    unused.lastUsed = other?.lastUsed
    return unused == other
  }
}

extension Atom {
  /// Everything that a program could ask for. Only a deny is kept for it: the program is muted, and its new requests
  /// are denied without an alert.
  public static let everything = Atom("*", "*")
}

/// Yes or no.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  case allow, deny
}
