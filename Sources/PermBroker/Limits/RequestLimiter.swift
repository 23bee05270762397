import Operations
import PermModel

/// The limits at work: counts requests in and out. Requests of one program that look the same share an alert, so only
/// the first of them counts.
final class RequestLimiter: Sendable {
  /// What a person could not tell apart.
  private struct Key: Hashable {
    var subject: Subject
    var atoms: Set<Atom>
    var reason: String?
    var lifetime: LifetimeChoice?
    var folder: String?

    init(_ request: Request) {
      subject = request.subject
      atoms = request.atoms
      reason = request.reason
      lifetime = request.suggestedLifetime
      folder = request.evidence?.workingDirectory
    }
  }

  private struct Joined {
    var admission: RequestLimits.Admission
    var count = 1
    var isAnswered = false
  }

  private struct State {
    var limits: RequestLimits
    var joined: [Key: Joined] = [:]
  }

  private let state: Lock<State>
  /// The present moment, on a clock that also runs while the machine sleeps.
  let now: @Sendable () -> Duration

  init(settings: RequestLimits.Settings = .init(), now: @escaping @Sendable () -> Duration) {
    state = Lock(State(limits: RequestLimits(settings: settings)))
    self.now = now
  }

  /// Counts a request in, or says why it may not ask.
  ///
  /// - Parameter isInherited: It waited when the broker before this one went away, and was counted there.
  func enter(_ request: Request, from payer: Payer, isInherited: Bool) throws(RequestLimits.Refusal) {
    let key = Key(request)
    let moment = now()
    try state.withLock { state throws(RequestLimits.Refusal) in
      if state.joined[key] != nil {
        state.joined[key]?.count += 1
      } else {
        let admission =
          isInherited ? state.limits.readmit(payer) : try state.limits.admit(payer, at: moment)
        state.joined[key] = Joined(admission: admission)
      }
    }
  }

  /// Counts out a request that was let in.
  ///
  /// - Parameter isAnswered: Whether a person has answered it.
  func leave(_ request: Request, isAnswered: Bool) {
    let key = Key(request)
    state.withLock { state in
      guard var joined = state.joined[key] else { return }
      joined.count -= 1
      joined.isAnswered = joined.isAnswered || isAnswered
      state.joined[key] = joined.count > 0 ? joined : nil
      if joined.count == 0 { state.limits.end(joined.admission, isAnswered: joined.isAnswered) }
    }
  }
}
