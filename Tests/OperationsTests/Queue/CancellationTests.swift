import Operations
import Testing

@Suite("Cancellation")
struct CancellationTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("What has not started never runs")
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

  @Test("What runs sees task cancellation and ends by itself")
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
}
