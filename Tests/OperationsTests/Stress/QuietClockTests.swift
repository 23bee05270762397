import Machine
import Testing

@Suite("A task that sleeps beside the shared pool")
struct QuietClockTests {
  private let clock = QuietClock()

  @Test("wakes at its deadline and no earlier, whichever task began to sleep first")
  func deadlines() async throws {
    let start = clock.now
    let waits = [30, 10, 20, 0, -5].map { Duration.milliseconds($0) }
    let woken = try await withThrowingTaskGroup(of: Void.self) { group in
      for wait in waits {
        group.addTask {
          try await QuietClock().sleep(until: start + wait)
          #expect(QuietClock().now >= start + wait)
        }
      }
      return try await group.reduce(0) { count, _ in count + 1 }
    }
    #expect(woken == waits.count)
  }

  @Test("wakes at once when it is cancelled, and leaves the others asleep")
  func cancelling() async throws {
    let long = Task.quiet { try await QuietClock.sleep(for: .longestWait) }
    let short = Task.quiet { try await QuietClock.sleep(for: .milliseconds(20)) }
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
    try await short.value
  }

  @Test("does not sleep if it is cancelled already")
  func cancelledBefore() async {
    let task = Task.quiet {
      withUnsafeCurrentTask { $0?.cancel() }
      try await QuietClock.sleep(for: .longestWait)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("The steps of other tasks run while one step blocks its thread")
  func blocking() async {
    let blocked = Task.quiet { Readable.poll([], milliseconds: 200) }
    let others = (0..<100).map { number in Task.quiet { number } }
    for (number, other) in others.enumerated() { #expect(await other.value == number) }
    #expect(await blocked.value.isEmpty)
  }
}
