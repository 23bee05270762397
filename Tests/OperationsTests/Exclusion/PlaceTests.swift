import Testing
import Waiting

@testable import Operations

@Suite("Places and categories", .timeLimit(.minutes(5)))
struct PlaceTests {
  let exclusion = ExclusionScheduler()
  let slot = MutuallyExclusive("slot")

  private func queue(width: Int) -> OperationQueue {
    OperationQueue(name: "narrow", width: width, exclusion: exclusion)
  }

  @Test("An operation whose turn for a category comes while all places are taken locks nobody up")
  func childOfThePlacesHolder() async throws {
    let (other, narrow) = (OperationQueue(exclusion: exclusion), queue(width: 1))
    let (slot, release, started, work, log) = (slot, Gate(), Gate(), Gate(), Log())
    let holder = other.add("holder", conditions: [slot]) { _ in await release.wait() }
    let waiter = narrow.add("waiter", conditions: [slot]) { _ in log.write("waiter") }
    let busy = narrow.add("busy") { context in
      started.open()
      await work.wait()
      try await context.run(BlockOperation("child", conditions: [slot]) { _ in log.write("child") })
    }
    await started.wait()
    release.open()
    try await holder.value
    work.open()
    try await busy.value
    try await waiter.value
    #expect(log.lines == ["child", "waiter"])
  }

  @Test("An operation that waits for one which needs the only place fails rather than waiting for ever")
  func onlyPlace() async throws {
    let narrow = queue(width: 1)
    let handle = narrow.add("first") { context in
      try await context.value(of: context.produce(BlockOperation("second") { _ in }))
    }
    let cycle = try await #require(throws: WaitCycle.self) { try await handle.value }
    #expect(
      Set(cycle.steps) == [
        "“first” awaits the outcome of “second”",
        "“second” waits for a place in the queue “narrow”, taken by “first”",
      ])
    await narrow.waitUntilIdle()
  }

  @Test("A place that a long operation has costs others no category")
  func categoryIsFree() async throws {
    let (other, narrow) = (OperationQueue(exclusion: exclusion), queue(width: 1))
    let (slot, release, started, work) = (slot, Gate(), Gate(), Gate())
    let holder = other.add("holder", conditions: [slot]) { _ in await release.wait() }
    let waiter = narrow.add("waiter", conditions: [slot]) { _ in "waited" }
    narrow.add("busy") { _ in
      started.open()
      await work.wait()
    }
    await started.wait()
    release.open()
    try await holder.value
    #expect(try await other.add(conditions: [slot]) { _ in "passed" }.value == "passed")
    #expect(waiter.explanation == "waits because 1 of 1 places in the queue “narrow” are taken")
    work.open()
    #expect(try await waiter.value == "waited")
  }

  /// An operation that runs until it is told to end.
  private struct Running {
    let handle: OperationHandle<Void>
    private let gate = Gate()

    init(
      _ name: String, in queue: OperationQueue, _ conditions: [any OperationCondition] = [],
      then end: @escaping @Sendable (OperationContext) async throws -> Void = { _ in }
    ) async {
      let (gate, started) = (gate, Gate())
      handle = queue.add(name, conditions: conditions) { context in
        started.open()
        await gate.wait()
        try await end(context)
      }
      await started.wait()
    }

    func end() async throws {
      gate.open()
      try await handle.value
    }
  }

  @Test("An operation that has missed its turn asks again where it stood")
  func position() async throws {
    let (other, narrow, log) = (OperationQueue(exclusion: exclusion), queue(width: 1), Log())
    let first = await Running("first", in: other, [slot])
    let waiter = narrow.add("waiter", conditions: [slot]) { _ in log.write("waiter") }
    let busy = await Running("busy", in: narrow)
    try await first.end()
    let second = await Running("second", in: other, [slot])
    let later = other.add("later", conditions: [slot]) { _ in log.write("later") }
    try await busy.end()
    #expect(waiter.reference.isWaitingForExclusion)
    try await second.end()
    try await waiter.value
    try await later.value
    #expect(log.lines == ["waiter", "later"])
  }

  @Test("An operation misses its turn a fixed number of times, then keeps it, and still locks nobody up")
  func patience() async throws {
    let (other, narrow, log) = (OperationQueue(exclusion: exclusion), queue(width: 1), Log())
    let slot = slot
    var holder = await Running("holder", in: other, [slot])
    let waiter = narrow.add("waiter", conditions: [slot]) { _ in log.write("waiter") }
    for _ in 0..<QueueState<OperationRecord>.patience {
      let busy = await Running("busy", in: narrow)
      try await holder.end()
      holder = await Running("holder", in: other, [slot])
      try await busy.end()
      #expect(waiter.reference.isWaitingForExclusion)
    }
    let busy = await Running("busy", in: narrow) { context in
      try await context.run(BlockOperation("child", conditions: [slot]) { _ in log.write("child") })
    }
    try await holder.end()
    let behind = other.add("behind", conditions: [slot]) { _ in log.write("behind") }
    #expect(waiter.reference.isWaitingForTurn)
    #expect(behind.reference.isWaitingForExclusion)
    try await busy.end()
    try await waiter.value
    try await behind.value
    #expect(log.lines == ["behind", "child", "waiter"])
    // It has waited more often than there is room to record.
    var words: [String] = []
    for await event in waiter.events { words.append("\(event)") }
    #expect(words.prefix(2) == ["added", "dependenciesEnded"])
    #expect(words.suffix(2) == ["executing", "ended(succeeded)"])
  }

  @Test("A queue that is suspended gives back what its operations hold while they wait for a place")
  func suspension() async throws {
    let (other, narrow) = (OperationQueue(exclusion: exclusion), queue(width: 1))
    var holder = await Running("holder", in: other, [slot])
    let waiter = narrow.add("waiter", conditions: [slot]) { _ in "waited" }
    for _ in 0..<QueueState<OperationRecord>.patience {
      let busy = await Running("busy", in: narrow)
      try await holder.end()
      holder = await Running("holder", in: other, [slot])
      try await busy.end()
    }
    let busy = await Running("busy", in: narrow)
    try await holder.end()
    let behind = other.add("behind", conditions: [slot]) { _ in "passed" }
    #expect(behind.reference.isWaitingForExclusion)
    narrow.isSuspended = true
    #expect(try await behind.value == "passed")
    narrow.isSuspended = false
    try await busy.end()
    #expect(try await waiter.value == "waited")
  }

  @Test(
    "A place that goes from one to the next of very many costs no stack", .isAboutStack,
    arguments: [false, true])
  func manyWithoutPlace(missesTurn: Bool) async throws {
    let (other, narrow, count) = (OperationQueue(exclusion: exclusion), queue(width: 1), 20_000)
    let holder = await Running("holder", in: other, [slot])
    var busy = missesTurn ? nil : await Running("busy", in: narrow)
    let all = (0..<count).map { _ in narrow.add(conditions: [slot]) { _ in } }
    if missesTurn {
      busy = await Running("busy", in: narrow)
      // Each one's turn comes, and none can use it.
      try await holder.end()
      try await busy?.end()
    } else {
      // Each one gets the place in turn, and none has the category.
      try await busy?.end()
      try await holder.end()
    }
    for handle in all { try await handle.value }
  }
}
