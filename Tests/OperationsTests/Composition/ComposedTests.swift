import Operations
import Testing

@Suite("Composed and gated operations")
struct ComposedTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  private func inner(_ log: Log, _ conditions: [any OperationCondition] = []) -> BlockOperation<Int> {
    BlockOperation("inner", conditions: conditions) { _ in
      log.write("work")
      return 7
    }
  }

  @Test("A composed operation has the conditions of the one it wraps, then its own")
  func conditions() async throws {
    let log = Log()
    let composed = ComposedOperation(
      inner(log, [Scripted("first", [.failing("first")])]),
      conditions: [Scripted("second", [.failing("second")])])
    let handle = queue.add(composed, conditions: [Scripted("third", [.failing("third")])])
    #expect(await handle.failures == ["first", "second", "third"])
    #expect(log.lines.isEmpty)
  }

  @Test("A composed operation's observers see what it does")
  func observers() async throws {
    let log = Log()
    let composed = ComposedOperation("closure", observers: [Recorder(log)]) { _ in log.write("work") }
    try await queue.add(ComposedOperation(composed, name: "outer")).value
    #expect(log.lines == ["added", "dependenciesEnded", "executing", "work", "ended(succeeded)"])
  }

  @Test("A composed operation is cancelled with what it wraps")
  func cancel() async throws {
    let started = Gate()
    let handle = queue.add(
      ComposedOperation("closure") { _ in
        started.open()
        for await _ in AsyncStream<Never>.makeStream().stream {}
        try Task.checkCancellation()
      })
    await started.wait()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
  }

  @Test("An operation behind a closed gate is skipped, and behind an open one runs")
  func gate() async throws {
    let log = Log()
    let closed = queue.add(GatedOperation(inner(log)) { false })
    #expect(await closed.outcome.word == "skipped")
    #expect(log.lines.isEmpty)
    #expect(try await queue.add(GatedOperation(inner(log)) { true }).value == 7)
    let broken = queue.add(GatedOperation(inner(log)) { throw Failure("gate") })
    await #expect(throws: Failure("gate")) { try await broken.value }
  }

  @Test("An operation can add others to its queue while it executes")
  func producing() async throws {
    let handle = queue.add { context in context.produce(BlockOperation("produced") { _ in "made" }) }
    #expect(try await handle.value.value == "made")
  }
}
