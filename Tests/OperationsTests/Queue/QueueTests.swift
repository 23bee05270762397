import Operations
import Testing

@Suite("A queue as a whole")
struct QueueTests {
  private func queue(width: Int? = nil, isSuspended: Bool = false) -> OperationQueue {
    OperationQueue(name: "test", width: width, isSuspended: isSuspended, exclusion: ExclusionScheduler())
  }

  @Test("No more operations execute at once than the queue is wide")
  func width() async throws {
    let queue = queue(width: 2)
    let gates = (0..<3).map { _ in Gate() }
    let handles = gates.map { gate in queue.add { _ in await gate.wait() } }
    #expect(handles[2].reference.isWaitingForTurn)
    gates[0].open()
    try await handles[0].value
    #expect(!handles[2].reference.isWaitingForTurn || !handles[1].state.hasEnded)
    gates[1].open()
    gates[2].open()
    await queue.waitUntilIdle()
    #expect(queue.count == 0)
  }

  @Test("An operation that waits for a category uses up no width")
  func widthAndExclusion() async throws {
    let exclusion = ExclusionScheduler()
    let (other, narrow) = (
      OperationQueue(exclusion: exclusion), OperationQueue(width: 1, exclusion: exclusion)
    )
    let (slot, gate) = (MutuallyExclusive("slot"), Gate())
    let holder = other.add(conditions: [slot]) { _ in await gate.wait() }
    let waiting = [
      narrow.add(conditions: [slot]) { _ in "waited" },
      narrow.add(conditions: [BlockCondition { true }, slot]) { _ in "waited" },
    ]
    // The holder waits for work in the narrow queue, which would never run if a waiter had the place.
    #expect(try await narrow.add { _ in "passed" }.value == "passed")
    gate.open()
    try await holder.value
    for handle in waiting { #expect(try await handle.value == "waited") }
  }

  @Test("An operation that gets its categories while all places are taken is the next to have one")
  func ticketFirst() async throws {
    let exclusion = ExclusionScheduler()
    let (other, narrow) = (
      OperationQueue(exclusion: exclusion), OperationQueue(width: 1, exclusion: exclusion)
    )
    let (slot, gate, started, work) = (MutuallyExclusive("slot"), Gate(), Gate(), Gate())
    let log = Log()
    let holder = other.add(conditions: [slot]) { _ in await gate.wait() }
    let waiting = narrow.add(conditions: [slot]) { _ in log.write("waited") }
    let running = narrow.add { _ in
      started.open()
      await work.wait()
    }
    await started.wait()
    let later = narrow.add(options: .init(priority: .veryHigh)) { _ in log.write("later") }
    gate.open()
    try await holder.value
    #expect(waiting.explanation == "waits because 1 of 1 places in the queue “operations” are taken")
    work.open()
    try await running.value
    try await waiting.value
    try await later.value
    #expect(log.lines == ["waited", "later"])
  }

  @Test("A suspended queue keeps no category from others")
  func suspendedWaiter() async throws {
    let exclusion = ExclusionScheduler()
    let (other, queue) = (OperationQueue(exclusion: exclusion), OperationQueue(exclusion: exclusion))
    let (slot, gate) = (MutuallyExclusive("slot"), Gate())
    let holder = other.add(conditions: [slot]) { _ in await gate.wait() }
    let waiting = queue.add(conditions: [slot]) { _ in "waited" }
    queue.isSuspended = true
    gate.open()
    try await holder.value
    #expect(try await other.add(conditions: [slot]) { _ in "passed" }.value == "passed")
    #expect(waiting.reference.isWaitingForTurn)
    queue.isSuspended = false
    #expect(try await waiting.value == "waited")
  }

  @Test("A child runs in its parent's place, so a queue of width one does not lock itself up")
  func childPlace() async throws {
    let queue = queue(width: 1)
    let handle = queue.add { context in
      try await context.run(
        BlockOperation { context in try await context.run(BlockOperation { _ in "deep" }) })
    }
    #expect(try await handle.value == "deep")
  }

  @Test("A remedy does not need the place of the operation that waits for it")
  func remedyPlace() async throws {
    let queue = queue(width: 1)
    let condition = Scripted("asks", [.failing("a", curable: true), .satisfied]) { BlockOperation { _ in } }
    #expect(try await queue.add(conditions: [condition]) { _ in "ran" }.value == "ran")
  }

  @Test("A suspended queue looks at and starts nothing; executing operations go on, their children too")
  func suspension() async throws {
    let queue = queue()
    let (started, gate) = (Gate(), Gate())
    let condition = Scripted("watched", [.satisfied])
    let running = queue.add { context in
      started.open()
      await gate.wait()
      return try await context.run(BlockOperation { _ in "child" })
    }
    await started.wait()
    queue.isSuspended = true
    let waiting = queue.add(conditions: [condition]) { _ in "later" }
    gate.open()
    #expect(try await running.value == "child")
    #expect(waiting.reference.isWaitingForTurn)
    #expect(condition.looks.isEmpty)
    queue.isSuspended = false
    #expect(try await waiting.value == "later")
  }

  @Test("A higher priority goes first")
  func priority() async throws {
    let queue = queue(width: 1, isSuspended: true)
    let log = Log()
    for priority in [OperationPriority.low, .veryLow, .normal, .veryHigh, .high] {
      queue.add(options: .init(priority: priority)) { _ in log.write("\(priority)") }
    }
    queue.isSuspended = false
    await queue.waitUntilIdle()
    #expect(log.lines == ["veryHigh", "high", "normal", "low", "veryLow"])
  }

  @Test("Cancelling all leaves an empty queue, also while it is suspended")
  func cancelAll() async {
    let queue = queue(isSuspended: true)
    let log = Log()
    for _ in 0..<100 { queue.add { _ in log.write("ran") } }
    queue.cancelAll()
    await queue.waitUntilIdle()
    #expect(queue.operations.isEmpty)
    #expect(log.lines.isEmpty)
  }

  @Test("A produced operation is independent: it needs its own place and may run after its producer")
  func produced() async throws {
    let queue = queue(width: 1)
    let log = Log()
    let slot = MutuallyExclusive("slot")
    try await queue.add(conditions: [slot]) { context in
      context.produce(BlockOperation(conditions: [slot]) { _ in log.write("product") })
      log.write("producer")
    }.value
    await queue.waitUntilIdle()
    #expect(log.lines == ["producer", "product"])
  }

  @Test("The same value added twice is two pieces of work")
  func twice() async throws {
    let queue = queue()
    let operation = BlockOperation("same") { _ in 1 }
    let (first, second) = (queue.add(operation), queue.add(operation))
    #expect(first.id != second.id)
    #expect(first.reference != second.reference)
    #expect(try await first.value + second.value == 2)
  }
}
