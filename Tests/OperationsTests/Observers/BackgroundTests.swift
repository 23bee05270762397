import Operations
import PermModelTesting
import Testing

@Suite("Background")
struct BackgroundTests {
  let clock = ManualClock()
  let queue: OperationQueue
  let suspension: ProgramSuspension

  init() {
    queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock)
    suspension = ProgramSuspension(clock: clock)
  }

  @Test("Before the program is stopped, what shall not be stopped half-way is cancelled, waiting or not")
  func cancels() async throws {
    let (started, observer) = (Gate(), BackgroundObserver(suspension, .cancels))
    let running = queue.add(options: .init(observers: [observer])) { _ in
      started.open()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      try Task.checkCancellation()
    }
    let waiting = queue.add(after: [running], options: .init(observers: [observer])) { _ in }
    await started.wait()
    await suspension.willSuspend()
    #expect(suspension.isSuspended)
    #expect(await waiting.outcome.word == "cancelled")
    #expect(await running.outcome.word == "cancelled")
    #expect(await queue.add(options: .init(observers: [observer])) { _ in }.outcome.word == "cancelled")
    suspension.didResume()
    try await queue.add(options: .init(observers: [observer])) { _ in }.value
  }

  @Test("The program is not stopped before what wants to finish has")
  func finishes() async throws {
    let (started, gate, log) = (Gate(), Gate(), Log())
    let running = queue.add(options: .init(observers: [BackgroundObserver(suspension, .finishes)])) { _ in
      started.open()
      await gate.wait()
      log.write("finished")
    }
    await started.wait()
    async let stopped: Void = suspension.willSuspend()
    await clock.sleepers()
    gate.open()
    await stopped
    #expect(log.lines == ["finished"])
    try await running.value
  }

  @Test("The program is stopped when the time for finishing is over")
  func grace() async throws {
    let (started, gate) = (Gate(), Gate())
    let running = queue.add(options: .init(observers: [BackgroundObserver(suspension, .finishes)])) { _ in
      started.open()
      await gate.wait()
    }
    await started.wait()
    async let stopped: Void = suspension.willSuspend(grace: .seconds(2))
    await clock.sleepers()
    clock.advance(by: .seconds(2))
    await stopped
    #expect(!running.state.hasEnded)
    gate.open()
    try await running.value
  }

  @Test("Operations without the observer go on as they are")
  func others() async throws {
    let (started, gate) = (Gate(), Gate())
    let running = queue.add { _ in
      started.open()
      await gate.wait()
      try Task.checkCancellation()
    }
    await started.wait()
    await suspension.willSuspend()
    gate.open()
    try await running.value
  }
}
