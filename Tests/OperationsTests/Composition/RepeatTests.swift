import Operations
import PermModelTesting
import Testing

@Suite("Repeat")
struct RepeatTests {
  let clock = PatientClock()
  let queue: OperationQueue

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  private func number(_ number: Int) -> BlockOperation<Int> { BlockOperation { _ in number } }

  @Test("It runs so many, the first included, with waits only between them")
  func maxCount() async throws {
    let handle = queue.add(
      RepeatOperation(maxCount: 4, waiting: .fibonacci(.seconds(1))) { number($0) })
    #expect(try await handle.value == 3)
    #expect(clock.waits == [.seconds(1), .seconds(1)])
  }

  @Test("It ends when nothing more is made")
  func end() async throws {
    #expect(try await queue.add(RepeatOperation { $0 < 7 ? number($0) : nil }).value == 6)
    #expect(try await queue.add(RepeatOperation(maxCount: -1) { number($0) }).value == nil)
    #expect(try await queue.add(RepeatOperation { _ in BlockOperation<Int>?.none }).value == nil)
  }

  @Test("It ends with the output that is wanted")
  func predicate() async throws {
    let handle = queue.add(RepeatOperation(waiting: .constant(.seconds(5)), while: { $0 < 3 }, make: number))
    #expect(try await handle.value == 3)
    #expect(clock.waits == Array(repeating: .seconds(5), count: 3))
  }

  @Test("A failure ends it")
  func failure() async throws {
    let log = Log()
    let handle = queue.add(
      RepeatOperation { number in
        BlockOperation { _ in
          log.write("\(number)")
          if number == 2 { throw Failure() }
        }
      })
    await #expect(throws: Failure()) { try await handle.value }
    #expect(log.lines == ["0", "1", "2"])
  }

  @Test("Cancelling it while it waits ends it at once")
  func cancel() async throws {
    let clock = ManualClock()
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock)
    let handle = queue.add(RepeatOperation(waiting: .constant(.seconds(60)), make: number))
    await clock.sleepers()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
  }
}
