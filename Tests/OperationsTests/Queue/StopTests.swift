import Machine
import Testing

@testable import Operations

@Suite("Stopping an operation that is just about to begin")
struct StopTests {
  let queue = OperationQueue(isSuspended: true, exclusion: ExclusionScheduler())
  let slot = MutuallyExclusive("slot")

  /// An operation that reports when its name is read, as happens when the operation is stopped.
  private struct Named: Operation {
    let hook: @Sendable () -> Void
    let work: @Sendable () async throws -> Void

    var name: String {
      hook()
      return "named"
    }

    func execute(_ context: OperationContext) async throws { try await work() }
  }

  /// Lets an operation begin while it is being stopped, and returns the observations.
  private func stop(_ stop: @escaping @Sendable (OperationHandle<Void>) -> Void) async -> (String, [String]) {
    let (log, isInside, gate) = (Log(), Latch(), Gate())
    let isFirst = Lock(true)
    let queue = queue
    let first = queue.add(
      Named {
        guard isFirst.withLock({ $0.take() }) else { return }
        queue.isSuspended = false
        isInside.wait()
      } work: {
        isInside.open()
        await gate.wait()
        log.write("first leaves")
      }, conditions: [slot])
    let second = queue.add(conditions: [slot]) { _ in log.write("second enters") }
    await inThread { stop(first) }
    log.write("first \(first.state)")
    gate.open()
    let outcome = await first.outcome.word
    _ = await second.outcome
    return (outcome, log.lines)
  }

  private let inOrder = ["first executing", "first leaves", "second enters"]

  @Test("Cancelled as it begins, it keeps its categories until its work returns")
  func cancel() async {
    let (outcome, lines) = await stop { $0.cancel() }
    #expect(lines == inOrder)
    #expect(outcome == "succeeded")
  }

  @Test("Failed as it begins, it keeps its categories until its work returns")
  func fail() async {
    let (outcome, lines) = await stop { $0.reference.fail(with: Failure()) }
    #expect(lines == inOrder)
    #expect(outcome == "failed")
  }

  @Test("A deadline that passes as it begins comes too late")
  func deadline() async {
    let gate = Gate()
    let holder = OperationQueue(exclusion: queue.exclusion).add(conditions: [slot]) { _ in await gate.wait() }
    let (log, isInside, release) = (Log(), Latch(), Gate())
    let isFirst = Lock(true)
    queue.isSuspended = false
    let first = queue.add(
      Named {
        guard isFirst.withLock({ $0.take() }) else { return }
        gate.open()
        isInside.wait()
      } work: {
        isInside.open()
        await release.wait()
        log.write("first leaves")
      }, conditions: [slot])
    let second = queue.add(conditions: [slot]) { _ in log.write("second enters") }
    let alarm = DeadlineTimer.Alarm(record: first.record, kind: .exclusion, limit: .zero)
    await inThread { [queue] in queue.deadlinePassed(alarm) }
    log.write("first \(first.state)")
    release.open()
    #expect(await first.outcome.word == "succeeded")
    _ = await (second.outcome, holder.outcome)
    #expect(log.lines == inOrder)
  }
}

extension Bool {
  /// Returns true only the first time.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
