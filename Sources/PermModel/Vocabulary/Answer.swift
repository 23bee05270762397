/// A person's answer to a request.
public struct Answer: Hashable, Sendable {
  public var verdict: Verdict
  /// The atoms to which the verdict applies: all requested atoms, or the narrower choice that the person made.
  public var atoms: Set<Atom>
  public var lifetime: LifetimeChoice
  public var note: String?
  /// Whether the answer also mutes the program, which means that its further requests are denied without an
  /// alert: for an hour or, if it is behind walls and the answer holds until its run ends, until then.
  public var mutes: Bool
  /// The requested atoms that an allow answer leaves out. They are denied for as long as the answer is in effect, so
  /// that the program does not ask for them again. The answerer that handles the answer sets this property.
  package var withheld: Set<Atom> = []
  /// The origin of the answer; `nil` if the answerer that handles the answer supplies the origin.
  package var origin: Origin?

  /// Whether the answer becomes a decision.
  package var isKept: Bool { lifetime != .once }

  public init(
    _ verdict: Verdict, atoms: Set<Atom>, lifetime: LifetimeChoice = .once, note: String? = nil,
    mutes: Bool = false
  ) {
    self.init(verdict, atoms: atoms, lifetime: lifetime, note: note, mutes: mutes, origin: nil)
  }

  package init(
    _ verdict: Verdict, atoms: Set<Atom>, lifetime: LifetimeChoice = .once, note: String? = nil,
    mutes: Bool = false, origin: Origin?
  ) {
    self.verdict = verdict
    self.atoms = atoms
    self.lifetime = lifetime
    self.note = note
    self.mutes = mutes
    self.origin = origin
  }
}

/// A summary of the earlier answers about one program and one capability. A decision that was made without a request
/// counts as an answer.
package struct AnswerHistory: Hashable, Sendable {
  package var allowed: Int
  package var denied: Int
  package var last: Timestamp?
  /// The number of times since midnight that the person allowed exactly what is asked for now, each time for one request
  /// only.
  package var today: Int

  package init(allowed: Int = 0, denied: Int = 0, last: Timestamp? = nil, today: Int = 0) {
    self.allowed = allowed
    self.denied = denied
    self.last = last
    self.today = today
  }
}
