/// A key shared by the requests that share an alert: those whose alerts would be the same bytes except for processes,
/// moments and the count.
///
/// Every part of a request that its alert shows must be in the key. The rest of the alert (the capability's words,
/// doubts, earlier decisions, the lifetimes on offer) follows from the key and from the store.
package struct AlertKey: Hashable, Sendable {
  private let subject: Subject
  private let capability: String
  private let atoms: Set<Atom>
  private let reason: String?
  private let suggestedLifetime: LifetimeChoice?
  /// The evidence about the program, without the process.
  private let evidence: Evidence?

  package init(_ request: Request) {
    subject = request.subject
    capability = request.capability
    atoms = request.atoms
    reason = request.reason
    suggestedLifetime = request.suggestedLifetime
    evidence = request.evidence.map {
      var evidence = $0
      evidence.process = ProcessIdentity(pid: 0, startTime: 0)
      return evidence
    }
  }
}
