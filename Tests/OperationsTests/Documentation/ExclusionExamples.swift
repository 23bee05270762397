import Operations
import Testing

@Suite("Examples of mutual exclusion")
struct ExclusionExamples {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("One at a time")
  func oneAtATime() async throws {
    let log = Log()
    // begin example
    let disc = MutuallyExclusive("disc")
    let copy = queue.add("copy", conditions: [disc]) { _ in log.write("copied") }
    let check = queue.add("check", conditions: [disc]) { _ in log.write("checked") }
    // end example
    try await copy.value
    try await check.value
    #expect(log.lines == ["copied", "checked"])
  }

  @Test("Categories by type, by name, and several at once")
  func categories() async throws {
    // begin example
    enum Photos {}

    let byType = MutuallyExclusive<Photos>()
    let several = MutuallyExclusive(ExclusionCategory(Photos.self), ExclusionCategory("disc"))
    let handle = queue.add("move the photos", conditions: [byType, several]) { _ in "moved" }
    // end example
    #expect(try await handle.value == "moved")
  }

  @Test("Children use what their parent holds")
  func lease() async throws {
    let disc = MutuallyExclusive("disc")
    // begin example
    let backup = queue.add("backup", conditions: [disc]) { context in
      try await context.run(BlockOperation("copy", conditions: [disc]) { _ in })
      try await context.run(BlockOperation("check", conditions: [disc]) { _ in })
    }
    // end example
    try await backup.value
  }

  @Test("Passing the lease to another queue")
  func anotherQueue() async throws {
    let disc = MutuallyExclusive("disc")
    // begin example
    let copies = OperationQueue(name: "copies", width: 2, exclusion: queue.exclusion)
    let backup = queue.add("backup", conditions: [disc]) { context in
      try await copies.add("copy", conditions: [disc], options: .init(lease: context.lease)) { _ in }.value
    }
    // end example
    try await backup.value
  }

  @Test("Waiting in a circle")
  func circle() async throws {
    let disc = MutuallyExclusive("disc")
    // begin example
    let report = queue.add("report", conditions: [disc]) { context in
      let check = context.produce(BlockOperation("check", conditions: [disc]) { _ in })
      try await context.value(of: check)  // fails: “check” waits for “disc”, held by “report”
    }
    // end example
    await #expect(throws: WaitCycle.self) { try await report.value }
  }

  @Test("Looking at who holds what")
  func snapshot() async throws {
    let (started, gate) = (Gate(), Gate())
    let disc = MutuallyExclusive("disc")
    let copy = queue.add("copy", conditions: [disc]) { _ in
      started.open()
      await gate.wait()
    }
    queue.add("check", conditions: [disc]) { _ in }
    await started.wait()
    // begin example
    for line in queue.exclusion.snapshot().lines {
      print(line.category, line.holder?.operation.name ?? "nobody", line.waiters.map(\.operation.name))
    }  // disc copy ["check"]
    // end example
    let line = try #require(queue.exclusion.snapshot()[ExclusionCategory("disc")])
    #expect(line.holder?.operation.name == "copy")
    #expect(line.waiters.map(\.operation.name) == ["check"])
    gate.open()
    try await copy.value
    await queue.waitUntilIdle()
  }
}
