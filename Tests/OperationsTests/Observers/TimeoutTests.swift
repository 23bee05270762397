import Operations
import PermModelTesting
import Testing
import Waiting

@Suite("Timeout")
struct TimeoutTests {
  let clock = ManualClock()
  let queue: OperationQueue
  let limit = Duration.seconds(3)

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  @Test("A timeout covers waiting")
  func waiting() async throws {
    let (gate, log) = (Gate(), Log())
    let slot = MutuallyExclusive("slot")
    let holder = queue.add(conditions: [slot]) { _ in await gate.wait() }
    let waiter = queue.add(conditions: [slot], options: .init(observers: [TimeoutObserver(limit)])) { _ in
      log.write("ran")
    }
    await clock.sleepers()
    clock.advance(by: limit)
    await #expect(throws: TimeoutError.exceeded(limit, from: .added)) { try await waiter.value }
    gate.open()
    try await holder.value
    #expect(log.lines.isEmpty)
  }

  @Test("A timeout from the start of the work does not count waiting")
  func fromExecuting() async throws {
    let gate = Gate()
    let first = queue.add { _ in await gate.wait() }
    let handle = queue.add(
      after: [first], options: .init(observers: [TimeoutObserver(limit, from: .executing)])
    ) { _ in
      // This ends with the task, and not before.
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
    clock.advance(by: .seconds(60))
    gate.open()
    await clock.sleepers()
    #expect(clock.sleeps == [.seconds(63)])
    clock.advance(by: limit)
    await #expect(throws: TimeoutError.exceeded(limit, from: .executing)) { try await handle.value }
  }

  @Test("An executing operation is cancelled by a timeout, and fails when its work has ended")
  func executing() async throws {
    let (started, gate) = (Gate(), Gate())
    let handle = queue.add(options: .init(observers: [TimeoutObserver(limit)])) { _ in
      started.open()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      await gate.wait()
    }
    await started.wait()
    await clock.sleepers()
    clock.advance(by: limit)
    #expect(!handle.state.hasEnded)
    gate.open()
    await #expect(throws: TimeoutError.exceeded(limit, from: .added)) { try await handle.value }
  }

  @Test("Each operation that shares a timeout has its own time, and nothing stays behind")
  func shared() async throws {
    let (gate, timeout) = (Gate(), TimeoutObserver(limit))
    let first = queue.add(options: .init(observers: [timeout])) { _ in await gate.wait() }
    await clock.sleepers()
    clock.advance(by: .seconds(2))
    let second = queue.add(options: .init(observers: [timeout])) { _ in await gate.wait() }
    await clock.sleepers(2)
    #expect(clock.sleeps == [.seconds(3), .seconds(5)])
    gate.open()
    try await first.value
    try await second.value
    try await clock.noSleepers()
  }

  @Test("A negative timeout is a typed error at once")
  func negative() async throws {
    let handle = queue.add(options: .init(observers: [TimeoutObserver(.seconds(-1))])) { _ in }
    await #expect(throws: TimeoutError.negative(.seconds(-1))) { try await handle.value }
  }
}

extension ManualClock {
  /// Waits until all tasks that were told to stop sleeping have done so.
  func noSleepers() async throws {
    try await until { sleeps.isEmpty }
  }
}
