import Operations
import PermModel

/// The limits at work: counts requests in and out. Requests of one program for the same share one alert, so only the
/// first of them counts.
final class RequestLimiter: Sendable {
  /// What shares an alert.
  private struct Key: Hashable {
    var subject: Subject
    var atoms: Set<Atom>
  }

  private struct State {
    var limits: RequestLimits
    var joined: [Key: Int] = [:]
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
  func enter(_ request: Request, isInherited: Bool) -> RequestLimits.Refusal? {
    let key = Key(subject: request.subject, atoms: request.atoms)
    let moment = now()
    return state.withLock { state in
      if state.joined[key] == nil {
        let asker = RequestLimits.Asker(request.subject)
        if isInherited {
          state.limits.readmit(asker)
        } else if let refusal = state.limits.admit(asker, at: moment) {
          return refusal
        }
      }
      state.joined[key, default: 0] += 1
      return nil
    }
  }

  /// Counts out a request that was let in.
  func leave(_ request: Request) {
    let key = Key(subject: request.subject, atoms: request.atoms)
    state.withLock { state in
      guard let others = state.joined[key].map({ $0 - 1 }) else { return }
      state.joined[key] = others > 0 ? others : nil
      if others == 0 { state.limits.end(RequestLimits.Asker(request.subject)) }
    }
  }
}
