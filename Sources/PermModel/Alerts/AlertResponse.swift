/// What became of an alert that was shown.
public enum AlertResponse: Hashable, Sendable {
  /// A request was answered.
  case answered(Answer)
  /// A confirmation was confirmed, or refused.
  case confirmed, refused
  /// A notice was read.
  case acknowledged
  /// The person answers later; whoever asked goes on waiting, and the slot is free for the next alert.
  case setAside
  /// The alert ended without an answer. It allows nothing and stores nothing.
  case dismissed
}

/// A person's answer to a request.
public struct Answer: Hashable, Sendable {
  public var verdict: Verdict
  /// What is answered: what was asked, or the narrower choice.
  public var atoms: Set<Atom>
  public var lifetime: LifetimeChoice
  public var note: String?
  /// Whether the program's further requests are denied for an hour without an alert.
  public var mutes: Bool
  /// What was asked and is denied by a narrower yes, for as long as the yes holds. Filled in by the desk, so that
  /// a program that was given less does not ask again at once.
  public var withheld: Set<Atom> = []
  /// Who answered; `nil` for whoever the desk answers for.
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
