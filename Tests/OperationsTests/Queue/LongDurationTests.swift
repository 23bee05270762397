import Operations
import PermModelTesting
import Testing

@testable import OperationsExtras

/// A real clock ends the program if it is asked to sleep for longer than it can count.
@Suite("Durations of any length")
struct LongDurationTests {
  let clock = ManualClock()
  let queue: OperationQueue
  static let longest = Duration.seconds(Int64.max)
  static let shortest = Duration.seconds(Int64.min)

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  /// Waits until a task sleeps, and returns the time at which it will wake.
  private var sleep: Duration? {
    get async {
      await clock.sleepers()
      return clock.sleeps.last
    }
  }

  @Test("A deadline is a hundred years at most")
  func deadline() async {
    let handle = queue.add(options: .init(deadlines: Deadlines(execution: Self.longest))) { _ in
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
    #expect(await sleep == WaitStrategy.longest)
    handle.cancel()
  }

  @Test("A timeout is a hundred years at most")
  func timeout() async {
    let handle = queue.add(options: .init(observers: [TimeoutObserver(Self.longest)])) { _ in
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
    #expect(await sleep == WaitStrategy.longest)
    handle.cancel()
  }

  @Test("A delay is a hundred years at most, and one that is over is none")
  func delay() async throws {
    let handle = queue.add(DelayOperation(Self.longest))
    #expect(await sleep == WaitStrategy.longest)
    handle.cancel()
    _ = await handle.outcome
    try await queue.add(DelayOperation(Self.shortest)).value
    #expect(clock.sleeps.isEmpty)
  }

  @Test("A delay until a moment is a hundred years at most, and one that is over is none")
  func delayUntil() async throws {
    let end = ManualClock.Instant(offset: Self.longest)
    let handle = queue.add(DelayOperation(until: end, on: clock))
    #expect(await sleep == WaitStrategy.longest)
    handle.cancel()
    _ = await handle.outcome
    try await queue.add(DelayOperation(until: .init(offset: Self.shortest), on: clock)).value
    #expect(clock.sleeps.isEmpty)
  }

  @Test("An indicator is hidden in a hundred years at most, and never before now")
  func activity() async throws {
    for (delay, limit) in [(Self.shortest, Duration.zero), (Self.longest, WaitStrategy.longest)] {
      let clock = PatientClock()
      let hidden = Gate()
      let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock)
      let observer = ActivityObserver(hidingAfter: delay) { isActive in if !isActive { hidden.open() } }
      try await queue.add(options: .init(observers: [observer])) { _ in }.value
      await hidden.wait()
      #expect(clock.waits == [limit])
    }
  }

  @Test("A program is given a hundred years at most, and never less than none")
  func grace() async {
    for (grace, limit) in [(Self.shortest, Duration.zero), (Self.longest, WaitStrategy.longest)] {
      let (clock, started, gate) = (PatientClock(), Gate(), Gate())
      let suspension = ProgramSuspension(clock: clock)
      queue.add(options: .init(observers: [BackgroundObserver(suspension, .finishes)])) { _ in
        started.open()
        await gate.wait()
      }
      await started.wait()
      await suspension.willSuspend(grace: grace)
      gate.open()
      #expect(clock.waits == [limit])
    }
    await queue.waitUntilIdle()
  }

  @Test("A host that is waited for is checked again in a hundred years at most")
  func reachability() async {
    let network = FakeNetwork()
    network.refuse(.noRoute(host: "nas"))
    let condition = ReachabilityCondition(
      host: NetworkHost("nas"), waits: true, checkingEvery: Self.longest, network: network)
    let handle = queue.add(conditions: [condition]) { _ in }
    #expect(await sleep == WaitStrategy.longest)
    handle.cancel()
    await queue.waitUntilIdle()
  }
}
