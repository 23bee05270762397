import Machine
import Operations
import Testing
import Waiting

@Suite("The turn of a remedy", .timeLimit(.minutes(5)))
struct RemedyTurnTests {
  /// A condition that holds once somebody has signed in, for all operations.
  private final class SignedIn: OperationCondition {
    let log = Log()
    let gate = Gate()
    let remedyConditions: [any OperationCondition]
    let remedyAlwaysRuns: Bool
    private let isSignedIn = Lock(false)

    init(_ remedyConditions: [any OperationCondition] = [], always: Bool = false) {
      self.remedyConditions = remedyConditions
      remedyAlwaysRuns = always
    }

    func signIn() { isSignedIn.withLock { $0 = true } }

    func evaluate(_ context: ConditionContext) -> ConditionResult {
      isSignedIn.withLock(\.self) ? .satisfied : .failing("signed out", curable: true)
    }

    func makeRemedy() -> (any Operation)? {
      BlockOperation("sign in", conditions: remedyConditions) { [self] _ in
        log.write("asked")
        await gate.wait()
        signIn()
      }
    }
  }

  private func addTen(_ condition: any OperationCondition, to queue: OperationQueue) -> [OperationHandle<
    Void
  >] {
    (0..<10).map { _ in queue.add("work", conditions: [condition]) { _ in } }
  }

  @Test("Ten operations with one unmet condition ask once, if their remedies wait for each other")
  func category() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    let condition = SignedIn([MutuallyExclusive("sign in")])
    let handles = addTen(condition, to: queue)
    try await until { queue.exclusion.snapshot()[ExclusionCategory("sign in")]?.waiters.count == 9 }
    condition.gate.open()
    for handle in handles { try await handle.value }
    #expect(condition.log.lines == ["asked"])
  }

  @Test("Ten operations ask once in a queue of width one")
  func width() async throws {
    let queue = OperationQueue(width: 1, exclusion: ExclusionScheduler())
    let condition = SignedIn()
    let handles = addTen(condition, to: queue)
    condition.gate.open()
    for handle in handles { try await handle.value }
    #expect(condition.log.lines == ["asked"])
  }

  @Test("A remedy that is to run in any case runs for each of them")
  func always() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    let condition = SignedIn([MutuallyExclusive("sign in")], always: true)
    condition.gate.open()
    for handle in addTen(condition, to: queue) { try await handle.value }
    #expect(condition.log.lines.count == 10)
  }

  @Test(
    "A condition that comes true during an earlier remedy needs none of its own", arguments: [false, true])
  func earlier(inCompound: Bool) async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    let second = SignedIn()
    second.gate.open()
    // A compound condition looks at its members once more when its own remedy begins.
    let unmet = Array(repeating: ConditionResult.failing("a", curable: true), count: inCompound ? 2 : 1)
    let first = Scripted("first", unmet + [.satisfied]) {
      BlockOperation { _ in second.signIn() }
    }
    let conditions: [any OperationCondition] =
      inCompound ? [AllCondition([first, second])] : [first, second]
    try await queue.add("work", conditions: conditions) { _ in }.value
    #expect(second.log.lines.isEmpty)
  }

  @Test("An operation knows whether it is still needed")
  func stillNeeded() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    let isMet = Lock(false)
    let condition = BlockCondition("is met") { isMet.withLock(\.self) }
    let answers = Log()
    let remedied = Remedied(condition) { context in
      answers.write("\(await context.isStillNeeded())")
      isMet.withLock { $0 = true }
      answers.write("\(await context.isStillNeeded())")
    }
    try await queue.add("work", conditions: [remedied]) { answers.write("\(await $0.isStillNeeded())") }.value
    #expect(answers.lines == ["true", "false", "true"])
  }

  /// A condition like another one, with a remedy.
  private struct Remedied: OperationCondition {
    let base: any OperationCondition
    let remedy: @Sendable (OperationContext) async -> Void

    init(_ base: any OperationCondition, remedy: @escaping @Sendable (OperationContext) async -> Void) {
      self.base = base
      self.remedy = remedy
    }

    func makeRemedy() -> (any Operation)? { BlockOperation("remedy", remedy) }

    func evaluate(_ context: ConditionContext) async -> ConditionResult {
      guard case .failed(let error, _) = await base.evaluate(context) else { return .satisfied }
      return .failed(error, curable: true)
    }
  }
}
