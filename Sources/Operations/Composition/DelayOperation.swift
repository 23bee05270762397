import Machine

/// An operation that only waits. Operations that depend on it start when the delay is over. Cancelling the operation
/// ends the delay immediately.
public struct DelayOperation: Operation {
  public let name: String
  private let sleep: @Sendable (_ clock: any Clock<Duration>) async throws -> Void

  /// Creates a delay of a given duration, which begins when the operation starts and is measured on the queue's clock.
  /// A duration of zero or less means no delay.
  public init(_ duration: Duration) {
    name = "Delay of \(duration)"
    sleep = { clock in try await clock.pause(for: duration) }
  }

  /// Creates a delay until a given time on a clock. A time in the past means no delay.
  public init<Source: Clock>(until moment: Source.Instant, on clock: Source) {
    name = "Delay until \(moment)"
    sleep = { _ in
      try Task.checkCancellation()
      if clock.now < moment { try await clock.sleep(until: clock.reachable(moment), tolerance: nil) }
    }
  }

  public func execute(_ context: OperationContext) async throws { try await sleep(context.queue.clock) }
}

extension Clock {
  /// Returns the earlier of the given instant and the instant a hundred years from now.
  fileprivate func reachable(_ moment: Instant) -> Instant {
    let now = now
    guard let wait = now.duration(to: moment) as? Swift.Duration, wait > wait.asWait,
      let longest = wait.asWait as? Duration
    else { return moment }
    return now.advanced(by: longest)
  }
}
