/// An answer that was given without asking anybody.
package struct AutomaticAnswer: Hashable, Sendable {
  package var subject: Subject
  /// The capability's name; `nil` if the answer was not about a capability.
  package var capability: String?
  package var atoms: Set<Atom>
  package var verdict: Verdict
  /// The human-readable reason, for example `decided before` or `muted until 15:03`.
  package var reason: String
  /// The decisions on which the answer is based; empty if the answer has another basis.
  package var decisions: [Decision]
  /// The number of times that this answer was given between ``at`` and ``lastAt``.
  package var count = 1
  /// The time at which this answer was first given; `nil` means the time at which it is recorded.
  package var at: Timestamp?
  package var lastAt: Timestamp?
  /// The kind of the journal entry for this answer.
  package var kind = JournalEntry.Kind.automatic
  /// The decision that counts. Answers from different decisions have lines of their own in the journal. It is `nil` if
  /// the answer has another basis.
  package var basis: Decision.Key?
  /// The first values that were asked for, in order.
  package var values: [Atom]

  package init(
    _ verdict: Verdict, subject: Subject, capability: String?, atoms: Set<Atom>, reason: String,
    decisions: [Decision] = []
  ) {
    self.verdict = verdict
    self.subject = subject
    self.capability = capability
    self.atoms = atoms
    self.reason = reason
    self.decisions = decisions
    values = Array(atoms.filter { $0.scope != .any }.sorted().prefix(Self.mostValues))
    // Of decisions with nested scopes, the narrowest is the last in order.
    basis = decisions.max { $0.atom < $1.atom }?.key
  }

  /// The greatest number of values that are kept.
  private static let mostValues = 32

  /// Adds the values of a newer answer.
  package mutating func addValues(_ newer: [Atom]) {
    let new = newer.filter { !values.contains($0) }
    values += new.prefix(Self.mostValues - values.count)
  }
}
