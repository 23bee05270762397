import Operations
import Testing
import Waiting

@Suite("Release")
struct ReleaseTests {
  static let length = 100_000

  @Test("Releasing a chain of 100 000 does not recurse", .isAboutStack)
  func chain() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    var last = queue.add { _ in 0 }
    for _ in 1..<Self.length { last = queue.add(after: [last]) { _ in 0 } }
    _ = try await last.value
  }

  @Test(
    "Releasing a chain of operations that hold the handle of the one before does not recurse", .isAboutStack)
  func chainOfHandles() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    var last = queue.add { _ in 0 }
    for _ in 1..<Self.length {
      last = queue.add(conditions: [NoFailedDependenciesCondition()], after: [last]) { [last] _ in
        try await last.value + 1
      }
    }
    #expect(try await last.value == Self.length - 1)
  }

  @Test("A chain that is cancelled before it started is released without recursion", .isAboutStack)
  func cancelledChain() async {
    var queue: OperationQueue? = OperationQueue(isSuspended: true, exclusion: ExclusionScheduler())
    var last = queue?.add { _ in 0 }
    for _ in 1..<Self.length {
      guard let before = last else { break }
      last = queue?.add(after: [before]) { _ in try await before.value }
    }
    queue?.cancelAll()
    await queue?.waitUntilIdle()
    queue = nil
    #expect(await last?.outcome.word == "cancelled")
  }

  @Test("Only the outcome of an operation stays when it has ended")
  func work() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    weak var watched: Log?
    let handle: OperationHandle<Void>
    do {
      let log = Log()
      watched = log
      handle = queue.add { _ in log.write("ran") }
      try await handle.value
    }
    await queue.waitUntilIdle()
    // The task that ran the work releases it a moment after the end.
    try await until { watched == nil }
    #expect(handle.state.hasEnded)
  }
}
