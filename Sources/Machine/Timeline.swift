/// A type-erased clock. Its times are durations since the timeline was created.
package struct Timeline: Sendable {
  package let now: @Sendable () -> Duration
  package let sleep: @Sendable (_ until: Duration) async throws -> Void

  package init<Source: Clock>(_ clock: Source) where Source.Duration == Duration {
    let origin = clock.now
    now = Self.systemTime(clock, since: origin) ?? { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }

  /// Returns a closure that reads the system's clock, if that is the clock, in a quarter of the instructions that any
  /// other clock takes.
  private static func systemTime(_ clock: some Clock, since origin: Any) -> (@Sendable () -> Duration)? {
    guard clock is ContinuousClock || clock is QuietClock, let origin = origin as? ContinuousClock.Instant
    else { return nil }
    return { origin.duration(to: .now) }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Waits for a duration, or not at all if the duration is zero or negative. Throws `CancellationError` if
  /// the task is cancelled.
  package func pause(for wait: Duration) async throws {
    try Task.checkCancellation()
    if wait > .zero { try await sleep(for: wait.asWait) }
  }
}

extension Duration {
  /// The longest possible wait, which is a hundred years. There is a limit because clocks trap on durations
  /// that they cannot add to the current time.
  package static let longestWait: Duration = .seconds(100 * 31_557_600)

  /// The duration, limited to the range from zero to ``longestWait``.
  package var asWait: Duration { min(max(self, .zero), .longestWait) }
}
