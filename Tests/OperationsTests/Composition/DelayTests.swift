import Operations
import PermModelTesting
import Testing

@Suite("Delay")
struct DelayTests {
  let clock = ManualClock()
  let queue: OperationQueue

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  @Test("An operation behind a delay starts when the delay is over")
  func delay() async throws {
    let log = Log()
    let delay = queue.add(DelayOperation(.seconds(3)))
    let handle = queue.add(after: [delay]) { _ in log.write("ran") }
    await clock.sleepers()
    clock.advance(by: .seconds(2))
    #expect(handle.reference.isWaitingForDependencies)
    clock.advance(by: .seconds(1))
    try await handle.value
    #expect(log.lines == ["ran"])
  }

  @Test("A delay until a moment ends then")
  func moment() async throws {
    let delay = queue.add(DelayOperation(until: clock.now.advanced(by: .seconds(5)), on: clock))
    await clock.sleepers()
    #expect(clock.sleeps == [.seconds(5)])
    clock.advance(by: .seconds(5))
    try await delay.value
  }

  @Test("A delay of zero, a negative one and a moment that is over are no delay")
  func none() async throws {
    try await queue.add(DelayOperation(.zero)).value
    try await queue.add(DelayOperation(.seconds(-3))).value
    try await queue.add(DelayOperation(until: clock.now.advanced(by: .seconds(-1)), on: clock)).value
  }

  @Test("Cancelling a delay ends it at once")
  func cancel() async throws {
    let delay = queue.add(DelayOperation(.seconds(3)))
    await clock.sleepers()
    delay.cancel()
    #expect(await delay.outcome.word == "cancelled")
  }
}
