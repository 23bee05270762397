import Machine
import Operations
import Testing

@Suite("Groups with a width", .timeLimit(.minutes(5)))
struct GroupWidthTests {
  let queue = OperationQueue(name: "outer", width: 1, exclusion: ExclusionScheduler())

  @Test("No more children execute at once than the group is wide, and the queue around it does not count")
  func width() async throws {
    let inside = Lock((now: 0, most: 0))
    // The first child stays until a second one is there, however slow the machine is.
    let two = Gate()
    let children = (0..<20).map { _ in
      BlockOperation { _ in
        let now = inside.withLock { inside in
          inside.now += 1
          inside.most = max(inside.most, inside.now)
          return inside.now
        }
        if now == 2 { two.open() }
        await two.wait()
        for _ in 0..<5 { await Task.yield() }
        inside.withLock { $0.now -= 1 }
      }
    }
    try await queue.add(GroupOperation("pair", width: 2, children)).value
    #expect(inside.withLock { $0.most } == 2)
  }

  @Test("A child that waits for the group's places says so")
  func explanation() async throws {
    let (gate, started) = (Gate(), Gate())
    let handle = queue.add(
      GroupOperation("narrow", width: 1) { group in
        group.add("first") { _ in
          started.open()
          await gate.wait()
        }
        await started.wait()
        let second = group.add("second") { _ in }
        let words = second.explanation
        gate.open()
        return words
      })
    #expect(try await handle.value == "waits because 1 of 1 places in the queue “narrow” are taken")
  }

  @Test(
    "Cancelling the group cancels the children inside, those too that wait or are suspended",
    arguments: [true, false])
  func cancel(isSuspended: Bool) async {
    let (started, gate, log) = (Gate(), Gate(), Log())
    let handle = queue.add(
      GroupOperation("narrow", width: 1, isSuspended: isSuspended) { group in
        let first = group.add("first") { _ in
          started.open()
          for await _ in AsyncStream<Never>.makeStream().stream {}
          try Task.checkCancellation()
        }
        let second = group.add("second") { _ in log.write("second ran") }
        gate.open()
        _ = await first.outcome
        try await second.value
      })
    await (isSuspended ? gate : started).wait()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    #expect(log.lines.isEmpty)
  }

  @Test("The errors of the children are gathered")
  func errors() async throws {
    let children = ["a", "b", "c"].map { name in
      BlockOperation(name) { _ in if name != "b" { throw Failure(name) } }
    }
    let handle = queue.add(GroupOperation("narrow", width: 1, children))
    let failed = try await #require(throws: GroupFailed.self) { try await handle.value }
    #expect(failed.children.map(\.operation.name) == ["a", "c"])
  }

  @Test("A suspended group starts nothing until it is resumed, and can be made wider")
  func suspension() async throws {
    let log = Log()
    let handle = queue.add(
      GroupOperation("later", isSuspended: true) { group in
        let child = group.add { _ in log.write("child") }
        #expect(child.reference.isWaitingForTurn)
        log.write("body")
        group.childQueue?.width = 3
        group.childQueue?.isSuspended = false
        try await child.value
        #expect(group.childQueue?.width == 3)
      })
    try await handle.value
    #expect(log.lines == ["body", "child"])
  }

  @Test("The children use what the group holds, also for their own children")
  func lease() async throws {
    let slot = MutuallyExclusive("slot")
    let handle = queue.add(
      GroupOperation("holder", width: 2, conditions: [slot]) { group in
        for _ in 0..<4 {
          group.add(conditions: [slot]) { context in
            try await context.run(BlockOperation(conditions: [slot]) { _ in await Task.yield() })
          }
        }
      })
    try await handle.value
  }

  @Test("A group without a width has no queue of its own")
  func plain() async throws {
    let handle = queue.add(GroupOperation { group in group.childQueue == nil })
    #expect(try await handle.value)
  }

  @Test("A child that waits for one which needs the group's only place fails rather than waiting for ever")
  func cycle() async throws {
    let handle = queue.add(
      GroupOperation("narrow", width: 1) { group in
        let first = group.add("first") { context in
          try await context.value(of: group.add("second") { _ in })
        }
        try await first.value
      })
    let failed = try await #require(throws: GroupFailed.self) { try await handle.value }
    #expect(failed.first(WaitCycle.self)?.steps.count == 2)
  }
}
