import Operations
import Testing

@Suite("Order")
struct OrderTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("An operation gives its output to whoever waits for it")
  func output() async throws {
    let handle = queue.add("sum") { _ in 1 + 2 }
    #expect(try await handle.value == 3)
    #expect(try await handle.value == 3)
    #expect(handle.state.hasEnded)
    #expect(handle.name == "sum")
  }

  @Test("A handle throws the error that its operation throws")
  func error() async {
    let handle = queue.add { _ in throw Failure("disk") }
    await #expect(throws: Failure("disk")) { try await handle.value }
  }

  @Test("Direct dependencies end before an operation starts")
  func dependencies() async throws {
    let (gate, log) = (Gate(), Log())
    let first = queue.add { _ in
      await gate.wait()
      log.write("first")
    }
    let second = queue.add(after: [first]) { _ in log.write("second") }
    let third = queue.add(after: [first, second]) { _ in log.write("third") }
    #expect(second.reference.isWaitingForDependencies)
    gate.open()
    try await third.value
    #expect(log.lines == ["first", "second", "third"])
  }

  @Test("An operation runs even if a dependency failed or was cancelled")
  func failedDependency() async throws {
    let gate = Gate()
    let failed = queue.add { _ in throw Failure() }
    let blocker = queue.add { _ in await gate.wait() }
    let cancelled = queue.add(after: [blocker]) { _ in }
    cancelled.cancel()
    let last = queue.add(after: [failed, cancelled]) { _ in "ran" }
    #expect(try await last.value == "ran")
    gate.open()
  }

  @Test("A dependency that has ended already is no reason to wait")
  func endedDependency() async throws {
    let first = queue.add { _ in }
    try await first.value
    let second = queue.add(after: [first]) { _ in "ran" }
    #expect(try await second.value == "ran")
  }

  @Test("A dependency of another queue is a typed error at once")
  func anotherQueue() async {
    let other = OperationQueue()
    let gate = Gate()
    let stranger = other.add("stranger") { _ in await gate.wait() }
    let handle = queue.add(after: [stranger]) { _ in }
    await #expect(throws: DependencyError.anotherQueue(operation: "stranger")) { try await handle.value }
    gate.open()
  }

  @Test("An observer sees every step in order")
  func observers() async throws {
    let log = Log()
    let handle = queue.add(
      BlockOperation("seen") { _ in log.write("work") },
      conditions: [TrueCondition(), BlockCondition { true }], options: .init(observers: [Recorder(log)]))
    try await handle.value
    #expect(
      log.lines == [
        "added", "dependenciesEnded", "evaluatingConditions", "executing", "work", "ended(succeeded)",
      ])
  }
}

/// Records the events that it observes.
struct Recorder: OperationObserver {
  let log: Log

  init(_ log: Log) { self.log = log }

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    switch event {
    case .remedyStarted(let condition, _): log.write("remedyStarted(\(condition))")
    case .produced(let operation): log.write("produced(\(operation.name))")
    default: log.write("\(event)")
    }
  }
}

extension OperationReference {
  var isWaitingForDependencies: Bool { if case .waitingForDependencies = state { true } else { false } }
  var isWaitingForExclusion: Bool { if case .waitingForExclusion = state { true } else { false } }
  var isWaitingForTurn: Bool { if case .waitingForTurn = state { true } else { false } }
  var isExecuting: Bool { if case .executing = state { true } else { false } }
}
