/// A clock of any kind, with time as what has passed since the timeline was made.
struct Timeline: Sendable {
  let now: @Sendable () -> Duration
  let sleep: @Sendable (_ until: Duration) async throws -> Void

  init<Source: Clock>(_ clock: Source) where Source.Duration == Duration {
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }
}

extension Duration {
  /// The same, but neither negative nor longer than a clock can wait: a hundred years at most.
  var asWait: Duration { min(max(self, .zero), WaitStrategy.longest) }
}
