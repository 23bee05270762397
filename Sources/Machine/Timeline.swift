/// A clock of any kind, whose times are durations since the timeline was made.
package struct Timeline: Sendable {
  package let now: @Sendable () -> Duration
  package let sleep: @Sendable (_ until: Duration) async throws -> Void

  package init<Source: Clock>(_ clock: Source) where Source.Duration == Duration {
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Lets time pass, unless the task has been cancelled. Zero or less is no wait at all.
  package func pause(for wait: Duration) async throws {
    try Task.checkCancellation()
    if wait > .zero { try await sleep(for: wait.asWait) }
  }
}

extension Duration {
  /// The longest possible wait: a hundred years. Clocks trap on durations that they cannot add to the present.
  package static let longestWait: Duration = .seconds(100 * 31_557_600)

  /// The same duration, but neither negative nor longer than a clock can wait.
  package var asWait: Duration { min(max(self, .zero), .longestWait) }
}
