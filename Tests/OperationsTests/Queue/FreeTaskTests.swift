import Testing

import class Foundation.Thread

@testable import Operations

@Suite("A task that an operation leaves", .timeLimit(.minutes(5)))
struct FreeTaskTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())
  let alone: [any OperationCondition] = [MutuallyExclusive("alone")]

  /// Adds two operations, the second of which can continue as the first ends, by a dependency or by a category.
  private func addTwo(
    byCategory: Bool, _ first: @escaping @Sendable (OperationContext) async throws -> Void,
    _ second: @escaping @Sendable (OperationContext) async throws -> Void
  ) -> (OperationHandle<Void>, OperationHandle<Void>) {
    let one = queue.add("one", conditions: byCategory ? alone : [], first)
    let two = queue.add("two", conditions: byCategory ? alone : [], after: byCategory ? [] : [one], second)
    return (one, two)
  }

  @Test("is given up after a while, so that others get its thread, too")
  func fairness() async {
    let log = Log()
    for line in 0..<16 { addForEver(in: ExclusionCategory("line \(line)"), until: log) }
    await Task.detached { log.write("had its turn") }.value
    await queue.waitUntilIdle()
    #expect(log.lines == ["had its turn"])
  }

  /// Runs two operations that take turns in a category, each adding itself again, until a line was logged.
  private func addForEver(in category: ExclusionCategory, until log: Log) {
    for _ in 0..<2 { addOne(in: category, until: log) }
  }

  private func addOne(in category: ExclusionCategory, until log: Log) {
    queue.add(conditions: [MutuallyExclusive(category)]) { [self] _ in
      if log.lines.isEmpty { addOne(in: category, until: log) }
    }
  }

  @Test("because it was cancelled does not cancel another one", arguments: [true, false])
  func cancelled(byCategory: Bool) async throws {
    let (started, gate) = (Gate(), Gate())
    let (first, second) = addTwo(byCategory: byCategory) { _ in
      started.open()
      await gate.wait()
    } _: { _ in
      try Task.checkCancellation()
    }
    await started.wait()
    first.cancel()
    gate.open()
    #expect(await first.outcome.word == "succeeded")
    try await second.value
  }

  @Test("after cancelling the task itself does not cancel another one", arguments: [true, false])
  func cancelledItself(byCategory: Bool) async throws {
    let (_, second) = addTwo(byCategory: byCategory) { _ in
      withUnsafeCurrentTask { $0?.cancel() }
    } _: { _ in
      try Task.checkCancellation()
    }
    try await second.value
  }

  @Test("is cancelled for the one that is in it now, even if that never waits", arguments: [true, false])
  func cancelledForAnother(byCategory: Bool) async throws {
    let gate = Gate()
    let (first, second) = addTwo(byCategory: byCategory) { _ in
      await gate.wait()
    } _: { context in
      // This operation keeps its thread busy, so cancelling needs another thread.
      Thread.detachNewThread { context.operation.cancel() }
      while !Task.isCancelled {}
      throw CancellationError()
    }
    gate.open()
    #expect(await second.outcome.word == "cancelled")
    try await first.value
  }

  @Test("is cancelled as soon as it passes to an operation that was asked to end in that moment")
  func cancelledInBetween() async {
    let record = OperationRecord(queue: queue, work: BlockOperation { _ in }, details: nil, mailbox: nil)
    let task = Task { while !Task.isCancelled { await Task.yield() } }
    record.cancelTask()
    record.adopt(task)
    await task.value
  }

  @Test("is not cancelled by who comes too late", arguments: [true, false])
  func tooLate(byCategory: Bool) async throws {
    let (gate, started, late) = (Gate(), Gate(), Gate())
    let (first, second) = addTwo(byCategory: byCategory) { _ in
      await gate.wait()
    } _: { _ in
      started.open()
      await late.wait()
      try Task.checkCancellation()
    }
    gate.open()
    await started.wait()
    first.cancel()
    late.open()
    try await second.value
    #expect(await first.outcome.word == "succeeded")
  }
}
