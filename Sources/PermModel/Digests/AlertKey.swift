/// Which requests share an alert: those whose alerts would be the same bytes except for processes, moments and the
/// count.
///
/// Whatever an alert shows of a request belongs in here. What it shows beside that (the capability's words, doubts, what
/// was decided before, the lifetimes on offer) follows from it and from the store.
public struct AlertKey: Hashable, Sendable {
  private let subject: Subject
  private let capability: String
  private let atoms: Set<Atom>
  private let reason: String?
  private let suggestedLifetime: LifetimeChoice?
  /// What was seen of the program, as if it were one process.
  private let evidence: Evidence?

  public init(_ request: Request) {
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
