import Foundation
import Operations

private typealias Kernel = Operations.OperationQueue
private typealias Peer = Foundation.OperationQueue

/// All throughput benchmarks.
let benchmarks = [noOperation, oneCondition, oneCategory, conditionAndCategory, chain, graph]

private func kernel() -> Kernel { Kernel(exclusion: ExclusionScheduler()) }

private let noOperation = Benchmark(
  name: "no-op operations", sizes: [1_000, 10_000, 100_000, 1_000_000],
  contenders: [
    Contender("kernel") { size in
      let queue = kernel()
      for _ in 0..<size { queue.add(NoOperation()) }
      await queue.waitUntilIdle()
    },
    Contender("Foundation.OperationQueue") { size in
      let queue = Peer()
      for _ in 0..<size { queue.addOperation {} }
      await queue.idle()
    },
    Contender("task group") { size in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<size { group.addTask {} }
      }
    },
    Contender("discarding task group") { size in
      await withDiscardingTaskGroup { group in
        for _ in 0..<size { group.addTask {} }
      }
    },
  ])

private let oneCondition = Benchmark(
  name: "one condition", sizes: [1_000, 20_000, 100_000],
  contenders: [
    Contender("kernel") { size in
      let queue = kernel()
      let conditions: [any OperationCondition] = [Yes()]
      for _ in 0..<size { queue.add(NoOperation(), conditions: conditions) }
      await queue.waitUntilIdle()
    },
    Contender("Foundation.OperationQueue") { size in
      let queue = Peer()
      for _ in 0..<size {
        let condition = Foundation.BlockOperation {}
        let operation = Foundation.BlockOperation {}
        operation.addDependency(condition)
        queue.addOperation(condition)
        queue.addOperation(operation)
      }
      await queue.idle()
    },
    Contender("by hand, task group") { size in
      let condition = anyHandCondition()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<size { group.addTask { guard await condition.holds() else { return } } }
      }
    },
  ])

private let oneCategory = Benchmark(
  name: "one category", sizes: [1_000, 20_000, 200_000],
  contenders: [
    Contender("kernel") { size in
      let queue = kernel()
      let conditions: [any OperationCondition] = [MutuallyExclusive("one")]
      for _ in 0..<size { queue.add(NoOperation(), conditions: conditions) }
      await queue.waitUntilIdle()
    },
    Contender("Foundation, width 1") { size in
      let queue = Peer()
      queue.maxConcurrentOperationCount = 1
      for _ in 0..<size { queue.addOperation {} }
      await queue.idle()
    },
    Contender("by hand, group and mutex") { size in
      let mutex = ActorMutex()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<size {
          group.addTask {
            await mutex.lock()
            await mutex.unlock()
          }
        }
      }
    },
  ])

private let conditionAndCategory = Benchmark(
  name: "one condition and one category", sizes: [1_000, 20_000, 200_000],
  contenders: [
    Contender("kernel") { size in
      let queue = kernel()
      let conditions: [any OperationCondition] = [Yes(), MutuallyExclusive("one")]
      for _ in 0..<size { queue.add(NoOperation(), conditions: conditions) }
      await queue.waitUntilIdle()
    },
    Contender("by hand, group and mutex") { size in
      let mutex = ActorMutex()
      let condition = anyHandCondition()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<size {
          group.addTask {
            guard await condition.holds() else { return }
            await mutex.lock()
            _ = await condition.holds()
            await mutex.unlock()
          }
        }
      }
    },
  ])

private let chain = Benchmark(
  name: "a chain", sizes: [1_000, 20_000, 100_000],
  contenders: [
    Contender("kernel") { size in
      let queue = kernel()
      var last = queue.add(NoOperation())
      for _ in 1..<size { last = queue.add(NoOperation(), after: [last]) }
      await queue.waitUntilIdle()
    },
    Contender("by hand, tasks") { size in
      var last = Task {}
      for _ in 1..<size { last = Task { [last] in await last.value } }
      await last.value
    },
  ])

private let graph = Benchmark(
  name: "two layers, each of the second after all of the first", sizes: [1_000],
  contenders: [
    Contender("kernel") { size in
      let queue = kernel()
      let first: [any OperationDependency] = (0..<size).map { _ in queue.add(NoOperation()) }
      for _ in 0..<size { queue.add(NoOperation(), after: first) }
      await queue.waitUntilIdle()
    },
    Contender("Foundation.OperationQueue") { size in
      let queue = Peer()
      let first = (0..<size).map { _ in Foundation.BlockOperation {} }
      let second = (0..<size).map { _ in Foundation.BlockOperation {} }
      for operation in second { for dependency in first { operation.addDependency(dependency) } }
      for operation in first + second { queue.addOperation(operation) }
      await queue.idle()
    },
    Contender("by hand, tasks") { size in
      let first = (0..<size).map { _ in Task {} }
      let second = (0..<size).map { _ in Task { for task in first { await task.value } } }
      for task in second { await task.value }
    },
  ])

extension Foundation.OperationQueue {
  /// Waits until all added operations have run.
  fileprivate func idle() async {
    await withCheckedContinuation { continuation in addBarrierBlock { continuation.resume() } }
  }
}
