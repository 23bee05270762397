/// A person's answer to a request.
public struct Answer: Hashable, Sendable {
  public var verdict: Verdict
  /// The atoms that are answered: all that were asked for, or the narrower choice.
  public var atoms: Set<Atom>
  public var lifetime: LifetimeChoice
  public var note: String?
  /// Whether the program's further requests are denied for an hour without an alert.
  package var mutes: Bool
  /// The requested atoms that a narrower allow denies, for as long as the allow holds. Set by the desk, so that a
  /// program that was allowed less than it wanted does not ask again at once.
  package var withheld: Set<Atom> = []
  /// The origin of the answer; `nil` for the desk's own origin.
  package var origin: Origin?

  public init(
    _ verdict: Verdict, atoms: Set<Atom>, lifetime: LifetimeChoice = .once, note: String? = nil
  ) {
    self.init(verdict, atoms: atoms, lifetime: lifetime, note: note, mutes: false)
  }

  package init(
    _ verdict: Verdict, atoms: Set<Atom>, lifetime: LifetimeChoice = .once, note: String? = nil,
    mutes: Bool, origin: Origin? = nil
  ) {
    self.verdict = verdict
    self.atoms = atoms
    self.lifetime = lifetime
    self.note = note
    self.mutes = mutes
    self.origin = origin
  }
}

/// The counts of a program's earlier allows and denies for one capability.
package struct AnswerHistory: Hashable, Sendable {
  package var allowed: Int
  package var denied: Int
  package var last: Timestamp?

  package init(allowed: Int = 0, denied: Int = 0, last: Timestamp? = nil) {
    self.allowed = allowed
    self.denied = denied
    self.last = last
  }
}
