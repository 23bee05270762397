/// A person's answer to a request.
public struct Answer: Hashable, Sendable {
  public var verdict: Verdict
  /// What is answered: what was asked, or the narrower choice.
  public var atoms: Set<Atom>
  public var lifetime: LifetimeChoice
  public var note: String?
  /// Whether the program's further requests are denied for an hour without an alert.
  public var mutes: Bool
  /// What was asked and is denied by a narrower yes, for as long as the yes holds. Set by the desk, so that a
  /// program that was given less does not ask again at once.
  public var withheld: Set<Atom> = []
  /// What answered; `nil` for the desk's own origin.
  public var origin: Origin?

  public init(
    _ verdict: Verdict, atoms: Set<Atom>, lifetime: LifetimeChoice = .once, note: String? = nil,
    mutes: Bool = false, origin: Origin? = nil
  ) {
    self.verdict = verdict
    self.atoms = atoms
    self.lifetime = lifetime
    self.note = note
    self.mutes = mutes
    self.origin = origin
  }
}

/// How often a program was allowed and denied one capability before.
public struct AnswerHistory: Hashable, Sendable {
  public var allowed: Int
  public var denied: Int
  public var last: Timestamp?

  public init(allowed: Int = 0, denied: Int = 0, last: Timestamp? = nil) {
    self.allowed = allowed
    self.denied = denied
    self.last = last
  }
}
