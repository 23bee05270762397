import Operations
import Testing

@Suite("Cancellation")
struct CancellationTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("A cancelled operation that has not started never runs")
  func notStarted() async {
    let (gate, log) = (Gate(), Log())
    let first = queue.add { _ in await gate.wait() }
    let second = queue.add(after: [first]) { _ in log.write("ran") }
    second.cancel()
    #expect(await second.outcome.word == "cancelled")
    gate.open()
    await queue.waitUntilIdle()
    #expect(log.lines.isEmpty)
  }

  @Test("A running operation sees task cancellation and ends by itself")
  func running() async {
    let (started, stream) = (Gate(), AsyncStream<Never>.makeStream())
    let handle = queue.add { _ in
      started.open()
      for await _ in stream.stream {}
      try Task.checkCancellation()
    }
    await started.wait()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    await #expect(throws: CancellationError.self) { try await handle.value }
  }

  @Test("The first outcome is the only one")
  func firstOutcome() async throws {
    let handle = queue.add { _ in 1 }
    #expect(try await handle.value == 1)
    handle.cancel()
    #expect(await handle.outcome.word == "succeeded")
  }

  @Test("Cancelling cancels the remedy that runs")
  func remedy() async {
    let (started, log) = (Gate(), Log())
    let condition = Scripted("needy", [.failing("needy", curable: true)]) {
      BlockOperation { _ in
        started.open()
        await withTaskCancellationHandler {
          for await _ in AsyncStream<Never>.makeStream().stream {}
        } onCancel: {
          log.write("remedy cancelled")
        }
      }
    }
    let handle = queue.add(conditions: [condition]) { _ in log.write("ran") }
    await started.wait()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    await queue.waitUntilIdle()
    #expect(log.lines == ["remedy cancelled"])
  }

  @Test("A remedy is not even added for an operation that was cancelled while an earlier remedy ran")
  func nextRemedy() async {
    let (started, gate, over, log) = (Gate(), Gate(), Gate(), Log())
    let first = Scripted("first", [.failing("first", curable: true), .satisfied]) {
      BlockOperation { _ in
        started.open()
        await gate.wait()
      }
    }
    let second = Named(named: over.open) {
      ComposedOperation("second", observers: [Recorder(log)]) { _ in log.write("ran") }
    }
    let handle = queue.add(conditions: [first, second]) { _ in }
    await started.wait()
    handle.cancel()
    gate.open()
    await over.wait()
    #expect(log.lines.isEmpty)
  }

  /// A condition that does not hold. Its name is read when its remedy was added, or else after all remedies.
  private struct Named: OperationCondition {
    let named: @Sendable () -> Void
    let remedy: @Sendable () -> any Operation

    var name: String {
      named()
      return "named"
    }

    func makeRemedy() -> (any Operation)? { remedy() }
    func evaluate(_ context: ConditionContext) async -> ConditionResult { .failing("named", curable: true) }
  }

  @Test("The task of a condition is cancelled with its operation", arguments: [1, 2])
  func condition(count: Int) async {
    let (started, gate, over, log) = (Gate(), Gate(), Gate(), Log())
    let waiting = BlockCondition("waits") {
      started.open()
      await gate.wait()
      log.write(Task.isCancelled ? "cancelled" : "not cancelled")
      over.open()
      return true
    }
    let more = (1..<count).map { _ in BlockCondition { true } }
    let handle = queue.add(conditions: [waiting] + more) { _ in log.write("ran") }
    await started.wait()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    gate.open()
    await over.wait()
    #expect(log.lines == ["cancelled"])
  }
}
