import Operations
import Testing
import Waiting

@Suite("Leases")
struct LeaseTests {
  let exclusion = ExclusionScheduler()
  let slot = MutuallyExclusive("slot")

  @Test("Categories are the same in all queues of a scheduler")
  func acrossQueues() async throws {
    let (one, other) = (OperationQueue(exclusion: exclusion), OperationQueue(exclusion: exclusion))
    let gate = Gate()
    let holder = one.add(conditions: [slot]) { _ in await gate.wait() }
    let waiter = other.add(conditions: [slot]) { _ in }
    #expect(waiter.reference.isWaitingForExclusion)
    gate.open()
    try await holder.value
    try await waiter.value
  }

  @Test("A lease passed on explicitly is good in another queue of the scheduler")
  func passedOn() async throws {
    let (one, other) = (OperationQueue(exclusion: exclusion), OperationQueue(exclusion: exclusion))
    let slot = slot
    let handle = one.add(conditions: [slot]) { context in
      try await other.add(conditions: [slot], options: .init(lease: context.lease)) { _ in "used" }.value
    }
    #expect(try await handle.value == "used")
  }

  @Test("A lease that has ended is a typed error at once")
  func ended() async throws {
    let queue = OperationQueue(exclusion: exclusion)
    let lease = try await queue.add(conditions: [slot]) { context in context.lease }.value
    let late = queue.add(conditions: [slot], options: .init(lease: lease)) { _ in }
    await #expect(throws: ExclusionError.leaseEnded) { try await late.value }
  }

  @Test("A lease of another scheduler is a typed error at once")
  func anotherScheduler() async throws {
    let (queue, other) = (
      OperationQueue(exclusion: exclusion), OperationQueue(exclusion: ExclusionScheduler())
    )
    let slot = slot
    let handle = queue.add(conditions: [slot]) { context in
      try await other.add(conditions: [slot], options: .init(lease: context.lease)) { _ in }.value
    }
    await #expect(throws: ExclusionError.leaseOfAnotherScheduler) { try await handle.value }
  }

  @Test("A remedy of a child uses the lease of the child's parent")
  func remedy() async throws {
    let queue = OperationQueue(exclusion: exclusion)
    let slot = slot
    let needy = Scripted("needy", [.failing("needy", curable: true), .satisfied]) {
      BlockOperation("ask", conditions: [slot]) { _ in }
    }
    let parent = queue.add(conditions: [slot]) { context in
      try await context.run(BlockOperation("child", conditions: [needy]) { _ in "ran" })
    }
    #expect(try await parent.value == "ran")
  }

  @Test("By the time the value is there, everything is released")
  func releasedBeforeFinished() async throws {
    let queue = OperationQueue(exclusion: exclusion)
    for _ in 0..<100 {
      try await queue.add(conditions: [slot]) { _ in }.value
      #expect(exclusion.snapshot().lines.isEmpty)
    }
  }

  @Test("A category that a produced operation uses through a lease stays held when its holder has ended")
  func outlives() async throws {
    let queue = OperationQueue(exclusion: exclusion)
    let (gate, slot) = (Gate(), slot)
    let late = try await queue.add(conditions: [slot]) { context in
      let late = context.queue.add(conditions: [slot], options: .init(lease: context.lease)) { _ in
        await gate.wait()
      }
      try await until { late.reference.isExecuting }
      return late
    }.value
    let next = queue.add(conditions: [slot]) { _ in }
    #expect(next.reference.isWaitingForExclusion)
    gate.open()
    try await late.value
    try await next.value
  }
}
