/// A key that is equal for requests that share an alert. Separate alerts for such requests would differ only in
/// processes, times and the number of requests.
///
/// Everything that the alert shows from a request must be part of the key. The other content of the alert (the
/// description of the capability, doubts, earlier decisions, the lifetimes on offer) is determined by the key and the
/// store.
package struct AlertKey: Hashable, Sendable {
  private let subject: Subject
  private let capability: String
  private let atoms: Set<Atom>
  private let reason: String?
  private let details: ShownDetails?
  private let facts: ValueFacts
  private let suggestedLifetime: LifetimeChoice?
  /// The evidence about the program, with a constant in place of the process, which is not part of the key.
  private let evidence: Evidence?

  package init(_ request: Request) {
    subject = request.subject
    capability = request.capability
    atoms = request.atoms
    reason = request.reason
    details = request.details
    facts = request.facts
    suggestedLifetime = request.suggestedLifetime
    evidence = request.evidence.map {
      var evidence = $0
      evidence.process = ProcessIdentity(pid: 0, startTime: 0)
      evidence.walled?.process = evidence.process
      return evidence
    }
  }

  /// Hashes what a program can choose, so that it cannot make many keys with one hash, and what tells programs apart. To
  /// hash everything would take many times as long.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(subject.label)
    hasher.combine(subject.path)
    hasher.combine(capability)
    hasher.combine(atoms)
    hasher.combine(reason)
    hasher.combine(details)
  }
}
