import Synchronization

/// Finds operations that wait for one another for ever, and lets the child among them fail.
///
/// Dependencies and tickets alone cannot form a cycle: one needs an operation that executes and waits for its child.
/// So nothing is done while there are no children. Otherwise a task looks whenever a wait begins; however many begin,
/// it spends a limited share of the time.
final class WaitCycleDetector: Sendable {
  private struct State: Sendable {
    var children: [OperationReference: Bool] = [:]
    var isLooking = false
    var isAskedAgain = false
  }

  private let childCount = Atomic<Int>(0)
  private let state = Lock(State())

  func childAdded(_ record: OperationRecord) {
    childCount.add(1, ordering: .relaxed)
    state.withLock { $0.children[OperationReference(record: record)] = true }
  }

  func childEnded(_ record: OperationRecord) {
    childCount.subtract(1, ordering: .relaxed)
    state.withLock { $0.children[OperationReference(record: record)] = nil }
  }

  /// Called when an operation begins to wait for another, outside of all locks.
  func waitBegan() {
    guard childCount.load(ordering: .relaxed) > 0 else { return }
    let isIdle = state.withLock { state in
      defer { state.isLooking = true }
      state.isAskedAgain = state.isLooking
      return !state.isLooking
    }
    if isIdle { Task.detached { await self.look() } }
  }

  private func look() async {
    repeat {
      let duration = ContinuousClock().measure { failOneOfEachCycle() }
      try? await Task.sleep(for: duration * 4)
    } while isAskedAgain()
  }

  private func isAskedAgain() -> Bool {
    state.withLock { state in
      state.isLooking = state.isAskedAgain
      state.isAskedAgain = false
      return state.isLooking
    }
  }

  /// The waits are read one lock after the other, so a cycle counts only if all of it is there on a second reading:
  /// no wait comes back once it has ended.
  private func failOneOfEachCycle() {
    let children = state.withLock { Array($0.children.keys) }
    let graph = WaitGraph(waits(around: children))
    let suspects = children.compactMap { child in graph.cycle(through: child).map { (child, $0) } }
    guard !suspects.isEmpty else { return }
    let stillThere = Set(waits(around: children))
    for (child, cycle) in suspects where cycle.allSatisfy(stillThere.contains) {
      child.fail(with: WaitCycle(cycle))
    }
  }

  private func waits(around children: [OperationReference]) -> [WaitGraph.Wait] {
    var queues: [ObjectIdentifier: OperationQueue] = [:]
    var schedulers: [ObjectIdentifier: ExclusionScheduler] = [:]
    for child in children { queues[ObjectIdentifier(child.record.queue)] = child.record.queue }
    for queue in queues.values { schedulers[ObjectIdentifier(queue.exclusion)] = queue.exclusion }
    let tickets = schedulers.values.flatMap(\.waits)
    for wait in tickets { queues[ObjectIdentifier(wait.who.record.queue)] = wait.who.record.queue }
    return tickets + queues.values.flatMap(\.waits)
  }
}
