import Operations
import Testing

@testable import OperationsExtras

@Suite("Random trees of operations")
struct RandomTreeTests {
  private static let seeds = (0..<20).map { _ in UInt64.random(in: 0...UInt64.max) }

  private func add(_ operation: any Operation, _ queue: OperationQueue, _ observer: any OperationObserver)
    -> OperationReference
  {
    func open<Added: Operation>(_ added: Added) -> OperationReference {
      queue.add(added, options: .init(observers: [observer])).reference
    }
    return open(operation)
  }

  @Test(
    "A tree ends with exactly the errors of what failed, in order, and its profile has all of it",
    arguments: seeds)
  func errors(seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let clock = PatientClock()
    let queue = OperationQueue(width: 2, exclusion: ExclusionScheduler(), clock: clock)
    let reports = ProfilingTests.Reports()
    let children = (0..<8).map { RandomTree(depth: 4, name: "\($0)", using: &dice) }
    let tree = RandomTree.group(children, name: "root")
    let root = add(tree.operation, queue, ProfilingObserver(reports, clock: clock))
    switch await root.outcome {
    case .succeeded: #expect(tree.failures.isEmpty, "seed \(seed)")
    case .failed(let error as GroupFailed):
      #expect(error.errors.compactMap { ($0 as? Failure)?.name } == tree.failures, "seed \(seed)")
    case let other: Issue.record("\(other), seed \(seed)")
    }
    let profile = try #require(reports.all.first)
    #expect(reports.all.count == 1)
    #expect(profile.size == tree.count, "seed \(seed)")
    await queue.waitUntilIdle()
  }

  @Test("A tree that is cancelled at any moment ends, with all that is in it", arguments: seeds)
  func cancelled(seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: PatientClock())
    let reports = ProfilingTests.Reports()
    let children = (0..<8).map { RandomTree(depth: 4, name: "\($0)", using: &dice) }
    let tree = GroupOperation("root", children.map(\.operation))
    let root = add(tree, queue, ProfilingObserver(reports))
    for _ in 0..<Int.random(in: 0..<50, using: &dice) { await Task.yield() }
    root.cancel()
    _ = await root.outcome
    await queue.waitUntilIdle()
    #expect(queue.count == 0)
    #expect(reports.all.count == 1, "seed \(seed)")
    #expect(reports.all.first?.isOver == true, "seed \(seed)")
  }
}

extension OperationProfile {
  fileprivate var size: Int { 1 + children.map(\.size).reduce(0, +) }
  fileprivate var isOver: Bool { outcome != nil && children.allSatisfy(\.isOver) }
}
