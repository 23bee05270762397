import Operations
import Testing
import Waiting

@Suite("Conditions made of conditions")
struct CompoundTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  private func word(_ condition: any OperationCondition) async -> String {
    await queue.add(conditions: [condition]) { _ in }.outcome.word
  }

  private let yes = Scripted("yes", [.satisfied])
  private let no = Scripted("no", [.failing("no")])
  private let skip = Scripted("skip", [.skipped(reason: "skip")])

  private func asks(_ name: String, _ log: Log) -> Scripted {
    Scripted(name, [.failing(name, curable: true)]) {
      BlockOperation(name) { _ in log.write("asked \(name)") }
    }
  }

  /// A condition that does not hold until its remedy has given it its own name.
  private struct Needs: OperationCondition {
    let name: String
    let log: Log

    func makeRemedy() -> (any Operation)? {
      BlockOperation(name) { [name, log] _ in
        log.write("asked \(name)")
        return name
      }
    }

    func evaluate(_ context: ConditionContext) async -> ConditionResult {
      context.remedyOutput as? String == name ? .satisfied : .failed(Failure(name), curable: true)
    }
  }

  @Test("All of nothing is satisfied; any of nothing fails")
  func nothing() async {
    #expect(await word(AllCondition([])) == "succeeded")
    #expect(await word(AnyCondition([])) == "failed")
  }

  @Test("In all, failed beats skipped beats satisfied")
  func all() async {
    #expect(await word(AllCondition([yes, skip, no])) == "failed")
    #expect(await word(AllCondition([yes, skip])) == "skipped")
    #expect(await word(AllCondition([yes, yes])) == "succeeded")
  }

  @Test("In any, satisfied wins, then failed, else skipped")
  func any() async {
    #expect(await word(AnyCondition([no, skip, yes])) == "succeeded")
    #expect(await word(AnyCondition([skip, no])) == "failed")
    #expect(await word(AnyCondition([skip, skip])) == "skipped")
  }

  @Test("Negated swaps satisfied and failed, leaves skipped, and has no remedy")
  func negated() async {
    let log = Log()
    #expect(await word(NegatedCondition(yes)) == "failed")
    #expect(await word(NegatedCondition(no)) == "succeeded")
    #expect(await word(NegatedCondition(skip)) == "skipped")
    #expect(await word(NegatedCondition(asks("x", log))) == "succeeded")
    #expect(log.lines.isEmpty)
  }

  @Test("Silent drops every remedy below it, at any depth")
  func silent() async {
    let log = Log()
    let deep = AllCondition([AnyCondition([asks("a", log), NegatedCondition(yes)]), asks("b", log)])
    #expect(await word(SilentCondition(deep)) == "failed")
    #expect(await word(AllCondition([SilentCondition(asks("c", log)), yes])) == "failed")
    #expect(log.lines.isEmpty)
  }

  @Test("A compound condition brings each remedy's output to its own member")
  func outputs() async throws {
    let log = Log()
    let condition = AllCondition([Needs(name: "a", log: log), AllCondition([Needs(name: "b", log: log)])])
    try await queue.add(conditions: [condition]) { _ in log.write("ran") }.value
    #expect(log.lines == ["asked a", "asked b", "ran"])
  }

  @Test("In all, the remedies after one that did not help do not run")
  func allStops() async {
    let log = Log()
    #expect(await word(AllCondition([asks("a", log), asks("b", log)])) == "failed")
    #expect(log.lines == ["asked a"])
  }

  @Test("In all, nobody is asked if another member cannot be cured")
  func allIncurable() async {
    let log = Log()
    #expect(await word(AllCondition([asks("a", log), no])) == "failed")
    #expect(log.lines.isEmpty)
  }

  @Test("In any, the remedies after one that helped do not run")
  func anyStops() async {
    let log = Log()
    let condition = AnyCondition([no, Needs(name: "a", log: log), Needs(name: "b", log: log)])
    #expect(await word(condition) == "succeeded")
    #expect(log.lines == ["asked a"])
  }

  @Test("Any brings the categories of all its members, so does all, and neither twice")
  func categories() async throws {
    let one = MutuallyExclusive("one")
    let condition = AllCondition([one, AnyCondition([one, MutuallyExclusive("two")]), SilentCondition(one)])
    let gate = Gate()
    let handle = queue.add(conditions: [condition]) { _ in await gate.wait() }
    try await until { handle.reference.isExecuting }
    #expect(queue.exclusion.snapshot().lines.map(\.category.name) == ["one", "two"])
    gate.open()
    try await handle.value
  }

  @Test("The error keeps every failed condition's name and error, in the order attached, typed")
  func errors() async {
    let nested = AllCondition([Scripted("inner", [.failing("deep")])])
    let handle = queue.add(conditions: [no, yes, nested]) { _ in }
    guard case .failed(let error) = await handle.outcome, let failed = error as? ConditionsFailed else {
      Issue.record("no ConditionsFailed")
      return
    }
    #expect(failed.failures.map(\.condition) == ["no", "All(inner)"])
    #expect(failed.failures.first?.error as? Failure == Failure("no"))
    #expect((failed.failures.last?.error as? ConditionsFailed)?.first(Failure.self) == Failure("deep"))
  }

  @Test("No failed dependencies: failed and cancelled ones fail it, or skip it where cancellation is ignored")
  func noFailedDependencies() async {
    let gate = Gate()
    let good = queue.add("good") { _ in }
    let bad = queue.add("bad") { _ in throw Failure() }
    let blocker = queue.add { _ in await gate.wait() }
    let cancelled = queue.add("cancelled", after: [blocker]) { _ in }
    cancelled.cancel()
    gate.open()
    let strict = NoFailedDependenciesCondition()
    let lenient = NoFailedDependenciesCondition(ignoringCancellations: true)
    func run(_ condition: any OperationCondition, _ after: [any OperationDependency]) async -> String {
      await queue.add(conditions: [condition], after: after) { _ in }.outcome.word
    }
    #expect(await run(strict, []) == "succeeded")
    #expect(await run(strict, [good]) == "succeeded")
    #expect(await run(strict, [good, bad]) == "failed")
    #expect(await run(strict, [cancelled]) == "failed")
    #expect(await run(lenient, [cancelled, good]) == "skipped")
    #expect(await run(lenient, [cancelled, bad]) == "failed")
  }
}
