import Operations
import PermModelTesting
import Testing

@testable import OperationsExtras

@Suite("Activity")
struct ActivityTests {
  let clock = ManualClock()
  let queue: OperationQueue

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  @Test("The indicator is on while something executes, and goes off a while after the last")
  func indicator() async throws {
    let (log, shown) = (Log(), AsyncStream<Bool>.makeStream())
    let activity = ActivityObserver(hidingAfter: .seconds(1)) { isActive in
      log.write(isActive ? "on" : "off")
      shown.continuation.yield(isActive)
    }
    try await queue.add(options: .init(observers: [activity])) { _ in }.value
    await clock.sleepers()
    try await queue.add(options: .init(observers: [activity])) { _ in }.value
    #expect(log.lines == ["on"])
    await clock.sleepers()
    clock.advance(by: .seconds(1))
    for await isActive in shown.stream where !isActive { break }
    #expect(log.lines == ["on", "off"])
  }

  @Test("An operation cancelled before it starts neither shows nor hides it")
  func cancelledEarly() async throws {
    let (gate, log) = (Gate(), Log())
    let activity = ActivityObserver { log.write($0 ? "on" : "off") }
    let running = queue.add(options: .init(observers: [activity])) { _ in await gate.wait() }
    let waiting = queue.add(after: [running], options: .init(observers: [activity])) { _ in }
    waiting.cancel()
    _ = await waiting.outcome
    #expect(clock.sleeps.isEmpty)
    gate.open()
    try await running.value
    await clock.sleepers()
    #expect(log.lines == ["on"])
  }
}
