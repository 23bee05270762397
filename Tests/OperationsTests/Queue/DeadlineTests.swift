import Operations
import PermModelTesting
import Testing

@Suite("Deadlines")
struct DeadlineTests {
  let clock = ManualClock()
  let queue: OperationQueue

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  private func expectExceeded<Output>(
    _ kind: Deadlines.Kind, after limit: Duration, _ handle: OperationHandle<Output>
  ) async {
    await #expect(throws: DeadlineError.exceeded(kind, after: limit)) { try await handle.value }
  }

  @Test("The deadline for dependencies ends an operation whose dependencies do not")
  func dependencies() async {
    let gate = Gate()
    let first = queue.add { _ in await gate.wait() }
    let handle = queue.add(after: [first], options: .init(deadlines: Deadlines(dependencies: .seconds(5)))) {
      _ in
    }
    await clock.sleepers()
    clock.advance(by: .seconds(5))
    await expectExceeded(.dependencies, after: .seconds(5), handle)
    gate.open()
  }

  @Test("The deadline for exclusion ends a waiter, and nobody else moves")
  func exclusion() async throws {
    let (gate, log) = (Gate(), Log())
    let slot = MutuallyExclusive("slot")
    let holder = queue.add(conditions: [slot]) { _ in
      await gate.wait()
      log.write("holder ended")
    }
    let waiter = queue.add(conditions: [slot], options: .init(deadlines: Deadlines(exclusion: .seconds(2)))) {
      _ in
    }
    let next = queue.add(conditions: [slot]) { _ in log.write("next ran") }
    await clock.sleepers()
    clock.advance(by: .seconds(2))
    await expectExceeded(.exclusion, after: .seconds(2), waiter)
    #expect(next.reference.isWaitingForExclusion)
    gate.open()
    try await holder.value
    try await next.value
    #expect(log.lines == ["holder ended", "next ran"])
  }

  @Test("The deadline for a human ends an operation whose remedy takes too long, and cancels the remedy")
  func human() async {
    let log = Log()
    let needy = Scripted("needy", [.failing("needy", curable: true)]) {
      BlockOperation("ask") { _ in
        await withTaskCancellationHandler {
          for await _ in AsyncStream<Never>.makeStream().stream {}
        } onCancel: {
          log.write("remedy cancelled")
        }
      }
    }
    let handle = queue.add(conditions: [needy], options: .init(deadlines: Deadlines(human: .seconds(30)))) {
      _ in
    }
    await clock.sleepers()
    clock.advance(by: .seconds(30))
    await expectExceeded(.human, after: .seconds(30), handle)
    await queue.waitUntilIdle()
    #expect(log.lines == ["remedy cancelled"])
  }

  @Test("The deadline for execution cancels the work, and the operation ends when the work does")
  func execution() async {
    let gate = Gate()
    let handle = queue.add(options: .init(deadlines: Deadlines(execution: .seconds(1)))) { _ in
      for await _ in AsyncStream<Never>.makeStream().stream {}
      await gate.wait()
    }
    await clock.sleepers()
    clock.advance(by: .seconds(1))
    #expect(!handle.state.hasEnded)
    gate.open()
    await expectExceeded(.execution, after: .seconds(1), handle)
  }

  @Test("A deadline that is not reached leaves nothing behind")
  func notReached() async throws {
    let all = Deadlines(
      dependencies: .seconds(1), exclusion: .seconds(1), human: .seconds(1), execution: .seconds(1))
    let handle = queue.add(conditions: [MutuallyExclusive("slot")], options: .init(deadlines: all)) { _ in
      "done"
    }
    #expect(try await handle.value == "done")
    #expect(clock.sleeps.isEmpty)
  }

  @Test("A negative deadline is a typed error at once")
  func negative() async {
    let handle = queue.add(options: .init(deadlines: Deadlines(human: .seconds(-1)))) { _ in }
    await #expect(throws: DeadlineError.negative(.human, .seconds(-1))) { try await handle.value }
  }
}
