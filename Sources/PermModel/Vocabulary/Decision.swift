/// An answer that is kept.
public struct Decision: Hashable, Sendable, Codable {
  public var subject: Subject
  public var atom: Atom
  public var verdict: Verdict
  public var lifetime: Lifetime
  /// Who or what decided.
  public var origin: Origin
  /// What the person wrote beside the answer.
  public var note: String?
  public var decidedAt: Timestamp
  /// When the decision last answered a request; `nil` while it has answered none.
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
  /// What there is at most one decision for: one program and one atom.
  public struct Key: Hashable, Sendable, Codable {
    public var subject: Subject
    public var atom: Atom

    public init(subject: Subject, atom: Atom) {
      self.subject = subject
      self.atom = atom
    }
  }

  public var key: Key { Key(subject: subject, atom: atom) }

  /// Whether two decisions say the same, whenever they were last used.
  func saysTheSame(as other: Decision?) -> Bool {
    var unused = self
    unused.lastUsed = other?.lastUsed
    return unused == other
  }
}

extension Atom {
  /// Stands for everything that a program could ask for. Only a deny is kept for it: the program is muted, and
  /// what it asks anew is denied without an alert.
  public static let everything = Atom("*", "*")
}

/// Yes or no.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  case allow, deny
}
