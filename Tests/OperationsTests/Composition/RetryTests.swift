import Operations
import PermModelTesting
import Testing

@Suite("Retry")
struct RetryTests {
  let clock = PatientClock()
  let queue: OperationQueue

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  private func failing(_ times: Int, _ log: Log = Log()) -> @Sendable (Int) -> BlockOperation<String> {
    { number in
      BlockOperation { _ in
        log.write("\(number)")
        guard number >= times else { throw Failure("\(number)") }
        return "attempt \(number)"
      }
    }
  }

  @Test("A failed attempt is followed by another, after the strategy's wait, until one succeeds")
  func succeeds() async throws {
    let retry = RetryOperation(waiting: .exponential(from: .seconds(1)), make: failing(3))
    #expect(try await queue.add(retry).value == "attempt 3")
    #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(4)])
  }

  @Test("Unless said otherwise there are five attempts, a tenth of a second apart")
  func defaults() async throws {
    let handle = queue.add(RetryOperation(make: failing(.max)))
    let error = try await #require(throws: RetriesFailed.self) { try await handle.value }
    #expect(error.errors.compactMap { ($0 as? Failure)?.name } == ["0", "1", "2", "3", "4"])
    #expect(clock.waits == Array(repeating: .milliseconds(100), count: 4))
    #expect(error.description == "5 attempts failed, the last with: \(Failure("4"))")
  }

  @Test("It gives up when the decision says so, and waits as long as the decision says")
  func decision() async throws {
    let retry = RetryOperation(
      waiting: .constant(.seconds(1)),
      decide: { failure in
        guard failure.error as? Failure != Failure("2") else { return .giveUp }
        return failure.soFar.attempts == 1 ? .retry : .retryAfter(failure.suggestedWait * 7)
      }, make: failing(.max))
    let handle = queue.add(retry)
    let error = try await #require(throws: RetriesFailed.self) { try await handle.value }
    #expect(error.attempts == 3)
    #expect(clock.waits == [.seconds(1), .seconds(7)])
  }

  @Test("Conditions that failed are an attempt that failed, and are looked at anew")
  func conditions() async throws {
    let condition = Scripted("later", [.failing("not yet"), .failing("not yet"), .satisfied])
    let retry = RetryOperation { _ in BlockOperation("x", conditions: [condition]) { _ in "ran" } }
    #expect(try await queue.add(retry).value == "ran")
    #expect(clock.waits.count == 2)
  }

  @Test("A cancelled or skipped operation is not tried again")
  func cancelled() async throws {
    let cancelled = queue.add(RetryOperation { _ in BlockOperation { _ in throw CancellationError() } })
    #expect(await cancelled.outcome.word == "cancelled")
    let skipped = queue.add(RetryOperation { _ in GatedOperation(BlockOperation { _ in }) { false } })
    #expect(await skipped.outcome.word == "skipped")
    #expect(clock.waits.isEmpty)
  }

  @Test("Cancelling it while it waits ends it at once, without another attempt")
  func cancelWaiting() async throws {
    let (clock, log) = (ManualClock(), Log())
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock)
    let handle = queue.add(RetryOperation(waiting: .constant(.seconds(60)), make: failing(.max, log)))
    await clock.sleepers()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    #expect(log.lines == ["0"])
  }

  @Test("Of very many attempts the last hundred errors are kept")
  func keptErrors() async throws {
    let handle = queue.add(RetryOperation(maxAttempts: 1_000, waiting: .immediate, make: failing(.max)))
    let error = try await #require(throws: RetriesFailed.self) { try await handle.value }
    #expect(error.attempts == 1_000)
    #expect(error.errors.compactMap { ($0 as? Failure)?.name } == (900..<1_000).map(String.init))
  }

  @Test("There is at least one attempt, whatever is asked for")
  func atLeastOne() async throws {
    #expect(try await queue.add(RetryOperation(maxAttempts: -3, make: failing(0))).value == "attempt 0")
  }

  @Test("An error is found at any depth")
  func depth() async throws {
    let inner = RetryOperation(maxAttempts: 2, waiting: .immediate) { _ in
      GroupOperation("group", [BlockOperation { _ in throw Failure("deep") }])
    }
    let handle = queue.add(
      GroupOperation { group in
        let broken = group.add(inner)
        group.add(Injected(from: broken) { _ in BlockOperation { _ in } })
      })
    let error = try await #require(throws: GroupFailed.self) { _ = try await handle.value }
    #expect(error.first(Failure.self) == Failure("deep"))
    #expect(error.children.count == 2)
    #expect(error.first(RetriesFailed.self)?.attempts == 2)
    #expect(error.first(CancellationError.self) == nil)
  }
}
