import Glibc
import Testing

@testable import Operations

@Suite("Groups")
struct GroupTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("A group ends after all its children")
  func endsLast() async throws {
    let (gate, log) = (Gate(), Log())
    let handle = queue.add(
      GroupOperation { group in
        group.add { _ in
          await gate.wait()
          log.write("child")
        }
        log.write("body")
        gate.open()
      })
    try await handle.value
    log.write("group")
    #expect(log.lines.sorted() == ["body", "child", "group"])
    #expect(log.lines.last == "group")
  }

  @Test("A group gives back what its body returns")
  func output() async throws {
    let handle = queue.add(
      GroupOperation { group in
        let (left, right) = (group.add { _ in 2 }, group.add { _ in 3 })
        return try await left.value * right.value
      })
    #expect(try await handle.value == 6)
  }

  @Test("A body of one expression gives back what that is: a child's handle, its output, or nothing")
  func singleExpression() async throws {
    let handle = queue.add(GroupOperation { group in group.add { _ in 2 } })
    #expect(try await handle.value.value == 2)
    let output = queue.add(GroupOperation { group in try await group.add { _ in 2 }.value })
    #expect(try await output.value == 2)
    let nothing: GroupOperation<Void> = GroupOperation { group in _ = group.add { _ in 2 } }
    try await queue.add(nothing).value
  }

  @Test("Children run in the order of their dependencies")
  func dependencies() async throws {
    let log = Log()
    let handle = queue.add(
      GroupOperation { group in
        let first = group.add { _ in log.write("first") }
        let second = group.add(after: [first]) { _ in log.write("second") }
        group.add(after: [second]) { _ in log.write("third") }
      })
    try await handle.value
    #expect(log.lines == ["first", "second", "third"])
  }

  @Test("A failed child lets the others go on, and the group has all errors in the order of adding")
  func errors() async throws {
    let (gate, log) = (Gate(), Log())
    let handle = queue.add(
      GroupOperation { group in
        group.add("slow") { _ in
          await gate.wait()
          throw Failure("first")
        }
        let failed = group.add("fast") { _ in throw Failure("second") }
        group.add("other", after: [failed]) { _ in
          log.write("ran")
          gate.open()
        }
      })
    let error = try await #require(throws: GroupFailed.self) { try await handle.value }
    #expect(error.children.map(\.operation.name) == ["slow", "fast"])
    #expect(error.errors.map { $0 as? Failure } == [Failure("first"), Failure("second")])
    #expect(
      error.description == #"“slow” failed: \#(Failure("first")); “fast” failed: \#(Failure("second"))"#)
    #expect(log.lines == ["ran"])
  }

  @Test("The errors of ten thousand children are all there")
  func manyErrors() async throws {
    let children = (0..<10_000).map { number in
      BlockOperation { _ in throw Failure("\(number)") }
    }
    let handle = queue.add(GroupOperation("many", children))
    let error = try await #require(throws: GroupFailed.self) { try await handle.value }
    #expect(error.errors.compactMap { ($0 as? Failure)?.name } == (0..<10_000).map(String.init))
  }

  @Test("The errors of groups inside a group keep their place")
  func nestedErrors() async throws {
    let inner = GroupOperation(
      "inner", [BlockOperation { _ in throw Failure("b") }, BlockOperation { _ in throw Failure("c") }])
    let handle = queue.add(
      GroupOperation(
        "outer",
        [BlockOperation { _ in throw Failure("a") }, inner, BlockOperation { _ in throw Failure("d") }]))
    let error = try await #require(throws: GroupFailed.self) { try await handle.value }
    #expect(error.errors.compactMap { ($0 as? Failure)?.name } == ["a", "b", "c", "d"])
    #expect(error.first(Failure.self) == Failure("a"))
  }

  @Test("A cancelled child is no failure of the group")
  func cancelledChild() async throws {
    let handle = queue.add(
      GroupOperation { group in
        group.add { _ in throw CancellationError() }
        group.add { _ in }
      })
    try await handle.value
  }

  @Test("Cancelling a group cancels its children, those too that are added later, and it ends after them")
  func cancel() async throws {
    let (started, gate, log) = (Gate(), Gate(), Log())
    let handle = queue.add(
      GroupOperation { group in
        let child = group.add { _ in
          started.open()
          await gate.wait()
          log.write("child ended")
          try Task.checkCancellation()
        }
        _ = await child.outcome
        group.add { _ in log.write("late child ran") }
      })
    await started.wait()
    handle.cancel()
    #expect(!handle.state.hasEnded)
    gate.open()
    #expect(await handle.outcome.word == "cancelled")
    #expect(log.lines == ["child ended"])
  }

  /// An operation whose name is slow to read, as happens when it is cancelled. By then its work would have begun, if it
  /// could.
  private struct Slow: Operation {
    let work: @Sendable () -> Void

    var name: String {
      for _ in 0..<30_000 { sched_yield() }
      return "slow"
    }

    func execute(_ context: OperationContext) async throws { work() }
  }

  @Test("An operation added to a cancelled group never runs", arguments: [false, true])
  func addedAfterCancelling(byError: Bool) async {
    let log = Log()
    for _ in 0..<20 {
      let (started, gate) = (Gate(), Gate())
      let handle = queue.add(
        GroupOperation { group in
          started.open()
          await gate.wait()
          if byError { group.cancel() }
          group.add(Slow { log.write("ran") })
        })
      await started.wait()
      if !byError { handle.cancel() }
      gate.open()
      _ = await handle.outcome
    }
    #expect(log.lines.count == 0)
  }

  @Test("If the body throws, the children are cancelled and the error is kept")
  func bodyThrows() async throws {
    let handle = queue.add(
      GroupOperation("group") { group in
        group.add { _ in for await _ in AsyncStream<Never>.makeStream().stream {} }
        throw Failure("body")
      })
    let error = try await #require(throws: GroupFailed.self) { try await handle.value }
    #expect(error.bodyError as? Failure == Failure("body"))
    #expect(error.children.isEmpty)
  }

  @Test("A child can add more children while the group executes")
  func producing() async throws {
    let log = Log()
    let handle = queue.add(
      GroupOperation { group in
        group.add { _ in
          log.write("child")
          group.add { _ in log.write("grandchild") }
        }
      })
    _ = try await handle.value
    #expect(log.lines == ["child", "grandchild"])
  }

  @Test("Adding to a group that has ended is a typed error at once")
  func tooLate() async throws {
    let handle = queue.add(GroupOperation("early") { group in group })
    let group = try await handle.value
    queue.isSuspended = true
    let late = group.add("late") { _ in }
    await #expect(throws: GroupError.hasEnded(group: "early", child: "late")) { try await late.value }
  }

  @Test("Children use what the group holds, one at a time")
  func lease() async throws {
    let (slot, log) = (MutuallyExclusive("slot"), Log())
    let handle = queue.add(
      GroupOperation("holder", conditions: [slot]) { group in
        for _ in 0..<5 {
          group.add(conditions: [slot]) { _ in
            log.write("in")
            await Task.yield()
            log.write("out")
          }
        }
      })
    let outside = queue.add(conditions: [slot]) { _ in log.write("outside") }
    try await handle.value
    try await outside.value
    #expect(log.lines == Array(repeating: ["in", "out"], count: 5).flatMap { $0 } + ["outside"])
  }

  @Test("A group's conditions hold before a child is looked at")
  func conditions() async throws {
    let log = Log()
    let handle = queue.add(
      GroupOperation("group", conditions: [Scripted("no", [.failing("no")])]) { group in
        group.add(conditions: [
          BlockCondition {
            log.write("looked"); return true
          }
        ]) { _ in }
      })
    #expect(await handle.failures == ["no"])
    #expect(log.lines.isEmpty)
  }

  @Test("A group fits into a queue that is one wide, however many children it has")
  func width() async throws {
    let queue = OperationQueue(width: 1, exclusion: ExclusionScheduler())
    let handle = queue.add(
      GroupOperation { group in
        let numbers = (0..<10).map { number in group.add { _ in number } }
        var sum = 0
        for number in numbers { sum += try await number.value }
        return sum
      })
    #expect(try await handle.value == 45)
  }

  @Test("Adding while the group ends makes a child that the group waits for, or a typed error")
  func adding() async throws {
    for _ in 0..<200 {
      let (log, groups) = (Log(), AsyncStream<OperationGroup>.makeStream())
      let handle = queue.add(
        GroupOperation("brief") { group in
          groups.continuation.yield(group)
          groups.continuation.finish()
        })
      var late: [OperationHandle<Void>] = []
      for await group in groups.stream { late.append(group.add("late") { _ in log.write("child") }) }
      try await handle.value
      let wasInTime = !log.lines.isEmpty
      for child in late {
        guard case .failed(let error) = await child.outcome else {
          #expect(wasInTime)
          continue
        }
        #expect(error as? GroupError == .hasEnded(group: "brief", child: "late"))
      }
    }
  }

  @Test("A group waits for whoever is just adding a child when its body returns")
  func waitsForAdding() async throws {
    /// An operation whose conditions are slow to read, as happens while it is being added.
    struct SlowToAdd: Operation {
      let isAsked: Gate
      let log: Log

      var conditions: [any OperationCondition] {
        isAsked.open()
        for _ in 0..<1_000 { sched_yield() }
        return []
      }

      func execute(_ context: OperationContext) async throws { log.write("child") }
    }
    let (isAsked, log) = (Gate(), Log())
    let handle = queue.add(
      GroupOperation { group in
        Task.detached { group.add(SlowToAdd(isAsked: isAsked, log: log)) }
        await isAsked.wait()
      })
    try await handle.value
    #expect(log.lines == ["child"])
  }

  @Test("A group can give its children a queue of their own, with a width, and its lease")
  func ownQueue() async throws {
    let slot = MutuallyExclusive("slot")
    let handle = queue.add(
      GroupOperation("holder", conditions: [slot]) { group in
        let narrow = OperationQueue(width: 1, exclusion: group.queue.exclusion)
        let pages = (0..<3).map { number in
          narrow.add("page \(number)", conditions: [slot], options: .init(lease: group.lease)) { _ in number }
        }
        var sum = 0
        for page in pages { sum += try await page.value }
        return sum
      })
    #expect(try await handle.value == 3)
  }

  @Test("A group knows its children, in the order of adding")
  func children() async throws {
    let handle = queue.add(
      GroupOperation { group in
        for name in ["a", "b", "c"] { group.add(name) { _ in } }
        return group.children.map(\.name)
      })
    #expect(try await handle.value == ["a", "b", "c"])
  }

  @Test("A group whose body says that it shall not run is skipped")
  func skipped() async throws {
    let handle = queue.add(
      GroupOperation { group in
        group.add { _ in }
        throw OperationSkipped(reason: "night")
      })
    #expect(await handle.outcome.word == "skipped")
  }
}
