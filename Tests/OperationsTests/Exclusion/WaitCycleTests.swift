import Operations
import Testing

@testable import struct Operations.WaitGraph

@Suite("Waits that can never end")
struct WaitCycleTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("A wait that can never end is found and reported, with who waits for whom")
  func throughDependency() async throws {
    let gate = Gate()
    let slot = MutuallyExclusive("slot")
    let parent = queue.add("parent", conditions: [slot]) { context in
      await gate.wait()
      let blocked = context.produce(BlockOperation("blocked", conditions: [slot]) { _ in })
      do {
        try await context.run(BlockOperation("child") { _ in }, after: [blocked])
      } catch let cycle as WaitCycle {
        return cycle.steps
      }
      return []
    }
    gate.open()
    let steps = try await parent.value
    #expect(
      Set(steps) == [
        "“parent” waits for its child “child”", "“child” waits for “blocked” to end",
        "“blocked” waits for “slot”, held by “parent”",
      ])
    await queue.waitUntilIdle()
  }

  @Test("A cycle that a later waiter closes is found too")
  func closedLater() async throws {
    let (childIsThere, release) = (Gate(), Gate())
    let (first, second) = (MutuallyExclusive("first"), MutuallyExclusive("second"))
    let holder = queue.add("holder", conditions: [second]) { _ in await release.wait() }
    let parent = queue.add("parent", conditions: [first]) { context in
      let child = context.addChild(BlockOperation("child", conditions: [second]) { _ in "ran" })
      childIsThere.open()
      return try await child.value
    }
    await childIsThere.wait()
    // It needs a category that the parent holds, and is ahead of none in the line: no cycle yet, and none is reported.
    let both = queue.add("both", conditions: [first, second]) { _ in "ran" }
    release.open()
    #expect(try await parent.value == "ran")
    #expect(try await both.value == "ran")
    try await holder.value
  }

  @Test("An operation held back by one that waits for its parent fails rather than waiting for ever")
  func heldBack() async throws {
    let (waiting, release) = (Gate(), Gate())
    let (first, second) = (MutuallyExclusive("first"), MutuallyExclusive("second"))
    let parent = queue.add("parent", conditions: [first]) { context in
      waiting.open()
      await release.wait()
      return try await context.run(BlockOperation("child", conditions: [second]) { _ in })
    }
    await waiting.wait()
    let both = queue.add("both", conditions: [first, second]) { _ in "ran" }
    release.open()
    await #expect(throws: WaitCycle.self) { try await parent.value }
    #expect(try await both.value == "ran")
  }

  @Test("Work that awaits an operation that waits for it does not wait for ever")
  func awaited() async throws {
    let (gate, slot) = (Gate(), MutuallyExclusive("slot"))
    let holder = queue.add("holder", conditions: [slot]) { context in
      let blocked = context.produce(BlockOperation("blocked", conditions: [slot]) { _ in })
      await gate.wait()
      try await context.value(of: blocked)
    }
    gate.open()
    let cycle = try await #require(throws: WaitCycle.self) { try await holder.value }
    #expect(
      Set(cycle.steps) == [
        "“holder” awaits the outcome of “blocked”", "“blocked” waits for “slot”, held by “holder”",
      ])
  }

  @Test("Waiting for a value through the context gives the value, or the other operation's error")
  func valueOfAnother() async throws {
    let other = queue.add("other") { _ in 2 }
    let failed = queue.add("failed") { _ -> Int in throw Failure("other") }
    #expect(try await queue.add { context in try await context.value(of: other) * 2 }.value == 4)
    await #expect(throws: Failure("other")) {
      try await queue.add { context in try await context.value(of: failed) }.value
    }
  }

  @Test("A child after its own parent is a typed error at once")
  func afterParent() async {
    let parent = queue.add("parent") { context in
      try await context.run(BlockOperation("child") { _ in }, after: [context.operation])
    }
    await #expect(throws: DependencyError.cycle(operation: "parent")) { try await parent.value }
  }

  @Test("The graph finds a way back to the start, and none where there is none")
  func graph() async {
    let operations = operations(4)
    func wait(_ who: Int, _ whom: Int) -> WaitGraph.Wait {
      WaitGraph.Wait(who: operations[who], whom: operations[whom], reason: .dependency)
    }
    let circle: Set = [wait(0, 1), wait(1, 2), wait(2, 0), wait(3, 0), wait(1, 3)]
    let found = WaitGraph(.init(waits: circle)).cycle(through: operations[2])
    #expect(found?.first == wait(2, 0) && found?.contains(wait(0, 1)) == true)
    #expect(WaitGraph(.init(waits: [wait(3, 0), wait(0, 1)])).cycle(through: operations[0]) == nil)
    await queue.waitUntilIdle()
  }

  @Test("A wait for a place ends when any holder leaves, and never only if all of them wait for the waiter")
  func places() async {
    let operations = operations(4)
    let (waiter, left, right, other) = (operations[0], operations[1], operations[2], operations[3])
    func cycle(_ waits: [(OperationReference, OperationReference)], missing: Int = 1) -> [WaitGraph.Wait]? {
      let waits = waits.map { WaitGraph.Wait(who: $0, whom: $1, reason: .outcome) }
      let places = WaitGraph.Places(
        queue: queue, waiters: [waiter: 0], holders: [left, right], missing: missing)
      return WaitGraph(.init(waits: Set(waits), places: [places])).cycle(through: waiter)
    }
    #expect(cycle([(left, waiter)]) == nil)
    #expect(cycle([(left, waiter), (right, other)]) == nil)
    #expect(cycle([(left, waiter), (right, other), (other, waiter)])?.count ?? 0 > 1)
    // A queue that was made narrower needs more than one holder to leave.
    #expect(cycle([(left, waiter)], missing: 2)?.count == 2)
    await queue.waitUntilIdle()
  }

  @Test("A wait that has ended between two readings counts for none")
  func persisting() async {
    let operations = operations(3)
    let places = WaitGraph.Places(
      queue: queue, waiters: [operations[0]: 0], holders: [operations[1]], missing: 1)
    var later = places
    later.waiters = [operations[0]: 1]
    later.holders = [operations[2]]
    let wait = WaitGraph.Wait(who: operations[1], whom: operations[0], reason: .outcome)
    let first = WaitGraph.Reading(waits: [wait], places: [places])
    #expect(WaitGraph(first).cycle(through: operations[0]) != nil)
    let both = first.persisting(in: WaitGraph.Reading(waits: [wait], places: [later]))
    #expect(WaitGraph(both).cycle(through: operations[0]) == nil)
    #expect(first.persisting(in: WaitGraph.Reading()).waits.isEmpty)
    await queue.waitUntilIdle()
  }

  private func operations(_ count: Int) -> [OperationReference] {
    (0..<count).map { number in queue.add("\(number)") { _ in }.reference }
  }
}
