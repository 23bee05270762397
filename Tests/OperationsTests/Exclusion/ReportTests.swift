import Operations
import PermModelTesting
import Testing

@Suite("Explanations and snapshots")
struct ReportTests {
  let clock = ManualClock()
  let queue: OperationQueue

  init() {
    queue = OperationQueue(name: "main", width: 1, exclusion: ExclusionScheduler(clock: clock), clock: clock)
    queue.width = .max
  }

  @Test("The explanation says which dependency")
  func dependency() async throws {
    let gate = Gate()
    let others = (1...5).map { number in queue.add("op \(number)") { _ in await gate.wait() } }
    let one = queue.add(after: [others[0]]) { _ in }
    let two = queue.add(after: Array(others.prefix(2))) { _ in }
    let five = queue.add(after: others) { _ in }
    #expect(one.explanation == "waits for “op 1” to end")
    #expect(two.explanation == "waits for “op 1” and “op 2” to end")
    #expect(five.explanation == "waits for “op 1”, “op 2”, “op 3” and 2 more to end")
    gate.open()
    try await five.value
    #expect(five.explanation == "succeeded")
  }

  @Test("The explanation says who holds the category, and since when")
  func category() async throws {
    let gate = Gate()
    let slot = MutuallyExclusive("modal")
    let holder = queue.add("Ask", conditions: [slot]) { _ in await gate.wait() }
    let next = queue.add("next", conditions: [slot]) { _ in }
    let last = queue.add("last", conditions: [slot]) { _ in }
    clock.advance(by: .seconds(3))
    #expect(next.explanation == "waits for “modal”, held by “Ask” for 3 s")
    #expect(last.explanation == "waits for “modal”, held by “Ask” for 3 s, and 1 more are ahead")
    gate.open()
    try await holder.value
    try await last.value
  }

  @Test("The explanation says which condition, and what its remedy waits for")
  func remedy() async throws {
    let (gate, started) = (Gate(), Gate())
    let needy = Scripted("AuthorizedFor(photos)", [.failing("a", curable: true), .satisfied]) {
      BlockOperation("Authorize photos") { _ in
        started.open()
        await gate.wait()
      }
    }
    let handle = queue.add(conditions: [needy]) { _ in }
    await started.wait()
    #expect(
      handle.explanation
        == "waits for “Authorize photos”, the remedy of AuthorizedFor(photos), which executes")
    gate.open()
    try await handle.value
  }

  @Test("The explanation says that the queue is suspended, or as wide as it may be")
  func turn() async throws {
    let gate = Gate()
    queue.width = 1
    let first = queue.add { _ in await gate.wait() }
    let second = queue.add { _ in }
    #expect(second.explanation == "waits because 1 of 1 places in the queue “main” are taken")
    queue.isSuspended = true
    #expect(second.explanation == "waits because the queue “main” is suspended")
    gate.open()
    try await first.value
    #expect(second.reference.isWaitingForTurn)
    queue.isSuspended = false
    try await second.value
  }

  @Test("A snapshot shows holder, waiters, since when and why")
  func snapshot() async throws {
    let gate = Gate()
    let (a, b) = (ExclusionCategory("a"), ExclusionCategory("b"))
    let holder = queue.add("holder", conditions: [MutuallyExclusive(a)]) { _ in await gate.wait() }
    clock.advance(by: .seconds(10))
    let waiter = queue.add("waiter", conditions: [MutuallyExclusive(a, b)]) { _ in }
    clock.advance(by: .seconds(5))
    let lines = queue.exclusion.snapshot()
    #expect(lines.lines.map(\.category) == [a, b])
    #expect(lines[a]?.holder?.operation == holder.reference)
    #expect(lines[a]?.holder?.duration == .seconds(15))
    #expect(lines[a]?.waiters.map(\.operation) == [waiter.reference])
    #expect(lines[a]?.waiters.map(\.duration) == [.seconds(5)])
    #expect(lines[a]?.waiters.map(\.reason) == ["waits for “a”, held by “holder” for 15 s"])
    #expect(lines[b]?.holder == nil)
    gate.open()
    try await waiter.value
    #expect(queue.exclusion.snapshot().lines.isEmpty)
  }
}
