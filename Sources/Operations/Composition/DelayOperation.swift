import Machine

/// Lets time pass. What is added after it starts that much later; cancelling it ends it at once.
public struct DelayOperation: Operation {
  public let name: String
  private let sleep: @Sendable (_ clock: any Clock<Duration>) async throws -> Void

  /// Lasts so long, on the queue's clock, counted from its start. Zero or less is no delay.
  public init(_ duration: Duration) {
    name = "Delay of \(duration)"
    sleep = { clock in
      try Task.checkCancellation()
      if duration > .zero { try await clock.sleep(for: duration.asWait) }
    }
  }

  /// Lasts until a moment on a clock. A moment that is over is no delay.
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
  /// The moment, or that in a hundred years if it is later.
  fileprivate func reachable(_ moment: Instant) -> Instant {
    let now = now
    guard let wait = now.duration(to: moment) as? Swift.Duration, wait > wait.asWait,
      let longest = wait.asWait as? Duration
    else { return moment }
    return now.advanced(by: longest)
  }
}
