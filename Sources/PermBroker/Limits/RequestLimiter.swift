import Machine
import PermModel

/// The limits at work: gives each alert a place among those that wait, and takes it back when the alert has ended.
/// Requests that share an alert count as one, because only the first of them needs a place.
final class RequestLimiter: Sendable {
  private let limits: Lock<RequestLimits>
  /// The present moment, on a clock that also runs while the machine sleeps.
  let now: @Sendable () -> Duration

  init(settings: RequestLimits.Settings = .init(), now: @escaping @Sendable () -> Duration) {
    limits = Lock(RequestLimits(settings: settings))
    self.now = now
  }

  /// Counts a request in that needs an alert of its own.
  ///
  /// - Parameter isInherited: It waited when the broker before this one went away, and was counted there.
  /// - Throws: why it may not ask.
  func place(for payer: Payer, isInherited: Bool) throws(RequestLimits.Refusal) -> AlertPlace {
    let moment = now()
    let admission = try limits.withLock { limits throws(RequestLimits.Refusal) in
      isInherited ? limits.readmit(payer) : try limits.admit(payer, at: moment)
    }
    return AlertPlace { [self] isAnswered in
      limits.withLock { $0.end(admission, isAnswered: isAnswered) }
    }
  }
}
