import Operations
import Testing

@Suite("Conditions")
struct ConditionTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("Conditions and observers are read once, when the operation is added")
  func readOnce() async throws {
    let log = Log()
    let handle = queue.add(Counted(log: log), conditions: [BlockCondition { true }])
    #expect(log.lines == ["conditions", "observers"])
    try await handle.value
    #expect(log.lines == ["conditions", "observers"])
  }

  @Test("A block that says false fails its operation, and one that throws fails it with that error")
  func block() async throws {
    let isFalse = queue.add(conditions: [BlockCondition("is ready") { false }]) { _ in }
    let failed = try await #require(throws: ConditionsFailed.self) { try await isFalse.value }
    #expect(failed.failures.map(\.condition) == ["is ready"])
    #expect(failed.first(BlockCondition.IsFalse.self) == .init())
    let thrown = queue.add(conditions: [BlockCondition { throw Failure("no disc") }]) { _ in }
    let error = try await #require(throws: ConditionsFailed.self) { try await thrown.value }
    #expect(error.first(Failure.self) == Failure("no disc"))
  }

  @Test("Any condition can bring categories, and a silent or negated one still does")
  func categories() async throws {
    let (started, gate) = (Gate(), Gate())
    let brings = Scripted("brings", [.satisfied], categories: ["slot"].map { ExclusionCategory($0) })
    let holder = queue.add(conditions: [brings]) { _ in
      started.open()
      await gate.wait()
    }
    await started.wait()
    let negated = NegatedCondition(Scripted("no", [.failing("no")], categories: brings.categories))
    #expect(negated.categories == brings.categories)
    let waiting = queue.add(conditions: [MutuallyExclusive("slot"), SilentCondition(brings)]) { _ in "held" }
    gate.open()
    try await holder.value
    #expect(try await waiting.value == "held")
  }

  @Test("A mutual exclusion is always satisfied, and needs no look")
  func exclusionNeedsNoLook() async throws {
    let handle = queue.add(conditions: [MutuallyExclusive("slot"), MutuallyExclusive<Never>()]) { _ in }
    try await handle.value
    for await event in handle.events {
      if case .evaluatingConditions = event { Issue.record("its conditions were looked at") }
    }
  }
}

/// An operation that records when its properties are read.
private struct Counted: Operation {
  let log: Log

  var conditions: [any OperationCondition] {
    log.write("conditions")
    return [TrueCondition()]
  }

  var observers: [any OperationObserver] {
    log.write("observers")
    return []
  }

  func execute(_ context: OperationContext) async throws {}
}
