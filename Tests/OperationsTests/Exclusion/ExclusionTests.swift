import Operations
import Testing

@Suite("Mutual exclusion")
struct ExclusionTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())
  let slot = MutuallyExclusive("slot")

  @Test("A cancelled waiter leaves and nobody else moves")
  func cancelledWaiter() async throws {
    let (gate, log) = (Gate(), Log())
    let holder = queue.add(conditions: [slot]) { _ in
      await gate.wait()
      log.write("holder ended")
    }
    let waiter = queue.add(conditions: [slot]) { _ in log.write("cancelled ran") }
    let next = queue.add(conditions: [slot]) { _ in log.write("next ran") }
    waiter.cancel()
    #expect(await waiter.outcome.word == "cancelled")
    #expect(next.reference.isWaitingForExclusion)
    gate.open()
    try await holder.value
    try await next.value
    #expect(log.lines == ["holder ended", "next ran"])
  }

  @Test("Without conditions, the order of adding is the order of holding")
  func order() async throws {
    let (gate, log) = (Gate(), Log())
    queue.add(conditions: [slot]) { _ in await gate.wait() }
    let handles = (0..<20).map { number in queue.add(conditions: [slot]) { _ in log.write("\(number)") } }
    gate.open()
    for handle in handles { try await handle.value }
    #expect(log.lines == (0..<20).map(String.init))
  }

  @Test("An operation gets all its categories or none, and holds back later ones")
  func allOrNone() async throws {
    let (gate, log) = (Gate(), Log())
    let holder = queue.add(conditions: [MutuallyExclusive("b")]) { _ in await gate.wait() }
    let both = queue.add(conditions: [MutuallyExclusive("a"), MutuallyExclusive("b")]) { _ in
      log.write("both")
    }
    let later = queue.add(conditions: [MutuallyExclusive("a")]) { _ in log.write("later") }
    #expect(both.reference.isWaitingForExclusion)
    #expect(later.reference.isWaitingForExclusion)
    gate.open()
    try await holder.value
    try await both.value
    try await later.value
    #expect(log.lines == ["both", "later"])
  }

  @Test("A child takes what its parent holds through the lease")
  func child() async throws {
    let slot = slot
    let handle = queue.add(conditions: [slot]) { context in
      try await context.run(BlockOperation("child", conditions: [slot]) { _ in "used the lease" })
    }
    #expect(try await handle.value == "used the lease")
  }

  @Test("Taking without the lease what an ancestor holds is a typed error at once")
  func withoutLease() async throws {
    let slot = slot
    let handle = queue.add(conditions: [slot]) { context in
      try await context.run(
        BlockOperation("child", conditions: [slot]) { _ in }, options: .init(usesLease: false))
    }
    let error = ExclusionError.heldByAncestor(category: ExclusionCategory("slot"))
    await #expect(throws: error) { try await handle.value }
  }

  @Test("One descendant at a time uses the lease")
  func oneDescendant() async throws {
    let (slot, log) = (slot, Log())
    let handle = queue.add(conditions: [slot]) { context in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask {
            try await context.run(
              BlockOperation("child", conditions: [slot]) { _ in
                log.write("in")
                await Task.yield()
                log.write("out")
              })
          }
        }
        try await group.waitForAll()
      }
    }
    try await handle.value
    #expect(log.lines == Array(repeating: ["in", "out"], count: 10).flatMap { $0 })
  }
}
