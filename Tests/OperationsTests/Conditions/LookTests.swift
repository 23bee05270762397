import Operations
import Testing

@Suite("Three looks")
struct LookTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("A condition that cannot be cured fails the operation before anybody is prompted")
  func incurable() async {
    let log = Log()
    let curable = Scripted("curable", [.failing("a", curable: true)]) {
      BlockOperation { _ in log.write("prompt") }
    }
    let incurable = Scripted("incurable", [.failing("b")])
    let handle = queue.add(conditions: [curable, incurable]) { _ in }
    #expect(await handle.failures == ["curable", "incurable"])
    #expect(log.lines.isEmpty)
  }

  @Test("Curable without a remedy cannot be cured")
  func withoutRemedy() async {
    let log = Log()
    let prompts = Scripted("prompts", [.failing("a", curable: true), .satisfied]) {
      BlockOperation { _ in log.write("prompt") }
    }
    let handle = queue.add(conditions: [prompts, Scripted("bare", [.failing("b", curable: true)])]) { _ in }
    #expect(await handle.failures == ["prompts", "bare"])
    #expect(log.lines.isEmpty)
  }

  @Test("Remedies run in the order attached, each followed by a look at its condition")
  func remediesInOrder() async throws {
    let log = Log()
    let conditions = ["a", "b"].enumerated().map { place, name in
      let unmet = Array(repeating: ConditionResult.failing(name, curable: true), count: place + 1)
      return Scripted(name, unmet + [.satisfied]) { BlockOperation { _ in log.write("remedy \(name)") } }
    }
    try await queue.add(conditions: conditions) { _ in log.write("ran") }.value
    #expect(log.lines == ["remedy a", "remedy b", "ran"])
    #expect(conditions[0].looks == [.first, .afterRemedy, .last])
    #expect(conditions[1].looks == [.first, .beforeRemedy, .afterRemedy, .last])
  }

  @Test("If a condition is still unmet after its remedy, the later remedies do not run")
  func stillUnmet() async {
    let log = Log()
    let conditions = ["a", "b"].map { name in
      Scripted(name, [.failing(name, curable: true)]) { BlockOperation { _ in log.write("remedy \(name)") } }
    }
    let handle = queue.add(conditions: conditions) { _ in }
    #expect(await handle.failures == ["a", "b"])
    #expect(log.lines == ["remedy a"])
  }

  @Test("A condition may ask that its remedy always run")
  func alwaysRuns() async throws {
    let log = Log()
    let condition = Scripted("always", [.satisfied], always: true) {
      BlockOperation { _ in log.write("remedy") }
    }
    try await queue.add(conditions: [condition]) { _ in }.value
    #expect(log.lines == ["remedy"])
  }

  @Test("The remedy's value is given to the looks that follow")
  func remedyOutput() async throws {
    let condition = Scripted("asks", [.failing("a", curable: true), .satisfied]) {
      BlockOperation { _ in 42 }
    }
    try await queue.add(conditions: [condition]) { _ in }.value
    #expect(condition.contexts.map { $0.remedyOutput as? Int } == [nil, 42, 42])
  }

  @Test("A condition may no longer hold at the last look, and then the operation does not execute")
  func lastLook() async {
    let (gate, log) = (Gate(), Log())
    let exclusive = MutuallyExclusive("slot")
    let holder = queue.add(conditions: [exclusive]) { _ in await gate.wait() }
    let revoked = Scripted("revoked", [.satisfied, .failing("revoked")])
    let handle = queue.add(conditions: [revoked, exclusive]) { _ in log.write("ran") }
    gate.open()
    #expect(await handle.failures == ["revoked"])
    #expect(revoked.looks == [.first, .last])
    #expect(log.lines.isEmpty)
    #expect(await holder.outcome.word == "succeeded")
  }

  @Test("Failed beats skipped beats satisfied, and skipped prevents execution without an error")
  func table() async {
    let failed = Scripted("failed", [.failing("f")])
    let skipped = Scripted("skipped", [.skipped(reason: "not now")])
    let satisfied = Scripted("satisfied", [.satisfied])
    #expect(await queue.add(conditions: [satisfied, skipped, failed]) { _ in }.failures == ["failed"])
    let handle = queue.add(conditions: [satisfied, skipped]) { _ in }
    await #expect(throws: OperationSkipped(reason: "not now")) { try await handle.value }
  }

  @Test("Conditions are looked at concurrently")
  func concurrently() async throws {
    let (left, right) = (Gate(), Gate())
    let first = BlockCondition {
      left.open()
      await right.wait()
      return true
    }
    let second = BlockCondition {
      right.open()
      await left.wait()
      return true
    }
    try await queue.add(conditions: [first, second]) { _ in }.value
  }

  @Test(
    "How a remedy ended comes with the looks that follow, also in a condition made of others",
    arguments: [false, true])
  func remedyOutcome(isMember: Bool) async throws {
    let failing = Scripted("asks", [.failing("a", curable: true)]) {
      BlockOperation { _ in throw Failure("nobody to ask") }
    }
    let condition: any OperationCondition = isMember ? AllCondition([failing]) : failing
    #expect(await queue.add(conditions: [condition]) { _ in }.outcome.word == "failed")
    let last = try #require(failing.contexts.last)
    guard case .failed(let error) = last.remedyOutcome else {
      Issue.record("\(String(describing: last.remedyOutcome))")
      return
    }
    #expect(error as? Failure == Failure("nobody to ask"))
    #expect(last.remedyOutput == nil)
    #expect(failing.contexts.first?.remedyOutcome == nil)
  }
}
