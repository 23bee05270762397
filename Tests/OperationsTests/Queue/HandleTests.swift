import Operations
import PermModelTesting
import Testing

@Suite("Handles and outcomes")
struct HandleTests {
  private let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("A wait with a limit ends, and the operation goes on")
  func limit() async throws {
    let clock = ManualClock()
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock)
    let gate = Gate()
    let handle = queue.add { _ in await gate.wait() }
    async let outcome = handle.outcome(within: .seconds(5), clock: clock)
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    #expect(await outcome == nil)
    gate.open()
    #expect(await handle.outcome(within: .seconds(5))?.isSuccess == true)
  }

  @Test("A wait with a limit does not depend on a clock that a test moves by hand")
  func ownClock() async throws {
    let clock = ManualClock()
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock)
    let gate = Gate()
    let handle = queue.add { _ in await gate.wait() }
    #expect(await handle.outcome(within: .milliseconds(1)) == nil)
    #expect(clock.sleeps.isEmpty)
    gate.open()
    try await handle.value
  }

  @Test("Cancelling a task ends its wait with a limit, and the operation goes on")
  func cancelledWait() async throws {
    let gate = Gate()
    let handle = queue.add { _ in await gate.wait() }
    let waiter = Task { await handle.outcome(within: .seconds(1_000_000)) }
    waiter.cancel()
    #expect(await waiter.value == nil)
    gate.open()
    try await handle.value
  }

  @Test("Outcomes and states say in one word how it is")
  func accessors() async throws {
    let gate = Gate()
    let running = queue.add { _ in
      gate.open()
      try await Task.sleep(for: .seconds(1_000))
    }
    await gate.wait()
    #expect(running.state.isExecuting)
    #expect(running.state.outcome == nil)
    running.cancel()
    #expect(await running.outcome.isCancelled)
    let failed = queue.add { _ in throw Failure("disk") }
    #expect(await failed.outcome.error is Failure)
    #expect(failed.state.outcome?.isSuccess == false)
    #expect(await queue.add { _ in }.outcome.isSuccess)
  }

  @Test("A handle can fail its operation, and can be kept in a set")
  func identity() async throws {
    let queue = OperationQueue(isSuspended: true, exclusion: ExclusionScheduler())
    let (first, second) = (queue.add { _ in }, queue.add { _ in })
    #expect(Set([first, second, first]).count == 2)
    first.fail(with: Failure("late"))
    await #expect(throws: Failure.self) { try await first.value }
    second.cancel()
  }
}
