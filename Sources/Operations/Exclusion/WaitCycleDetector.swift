import Synchronization

/// Finds operations that wait for one another for ever, and lets one of each circle fail.
///
/// Dependencies and tickets alone cannot form a circle: one needs an operation that executes and waits, for its child
/// or, through its context, for another's outcome. So nothing is done while there are none. Otherwise a task looks
/// whenever a wait begins; however many begin, it spends a limited share of the time. Work that executes and awaits
/// cannot be made to end, so of two that execute and await each other neither fails.
final class WaitCycleDetector: Sendable {
  private struct State: Sendable {
    var children: Set<OperationReference> = []
    /// Who executes and waits for whose outcome, and how often.
    var awaited: [WaitGraph.Wait: Int] = [:]
    var isLooking = false
    var isAskedAgain = false
  }

  private let timeline: Timeline
  /// How many waits there are that a circle needs.
  private let count = Atomic<Int>(0)
  private let state = Lock(State())

  init(_ timeline: Timeline) { self.timeline = timeline }

  func childAdded(_ record: OperationRecord) {
    count.add(1, ordering: .relaxed)
    state.withLock { _ = $0.children.insert(OperationReference(record: record)) }
  }

  func childEnded(_ record: OperationRecord) {
    count.subtract(1, ordering: .relaxed)
    state.withLock { _ = $0.children.remove(OperationReference(record: record)) }
  }

  /// An operation that executes waits for another's outcome, until `body` returns.
  func during(_ wait: WaitGraph.Wait, _ body: () async -> Void) async {
    count.add(1, ordering: .relaxed)
    state.withLock { $0.awaited[wait, default: 0] += 1 }
    waitBegan()
    await body()
    state.withLock { state in
      let left = (state.awaited[wait] ?? 1) - 1
      state.awaited[wait] = left > 0 ? left : nil
    }
    count.subtract(1, ordering: .relaxed)
  }

  /// Called when an operation begins to wait for another, outside of all locks.
  func waitBegan() {
    guard count.load(ordering: .relaxed) > 0 else { return }
    let isIdle = state.withLock { state in
      defer { state.isLooking = true }
      state.isAskedAgain = state.isLooking
      return !state.isLooking
    }
    if isIdle { Task.detached { await self.look() } }
  }

  private func look() async {
    repeat {
      let start = timeline.now()
      failOneOfEachCycle()
      let end = timeline.now()
      if end > start { try? await timeline.sleep(end + (end - start) * 4) }
    } while isAskedAgain()
  }

  private func isAskedAgain() -> Bool {
    state.withLock { state in
      state.isLooking = state.isAskedAgain
      state.isAskedAgain = false
      return state.isLooking
    }
  }

  /// The waits are read one lock after the other, so a circle counts only if all of it is there on a second reading:
  /// no wait comes back once it has ended.
  private func failOneOfEachCycle() {
    let (children, awaited) = state.withLock { (Array($0.children), Array($0.awaited.keys)) }
    let graph = WaitGraph(waits(around: children, awaited))
    // Work that executes ends by itself, so what is awaited can be made to fail only where it waits too.
    let waiting = awaited.map(\.whom).filter { !$0.state.isExecuting }
    let suspects = (children + waiting).compactMap { suspect in
      graph.cycle(through: suspect).map { (suspect, $0) }
    }
    guard !suspects.isEmpty else { return }
    let stillAwaited = state.withLock { Array($0.awaited.keys) }
    let stillThere = Set(waits(around: children, stillAwaited))
    for (suspect, cycle) in suspects where cycle.allSatisfy(stillThere.contains) {
      suspect.fail(with: WaitCycle(cycle))
    }
  }

  private func waits(
    around children: [OperationReference], _ awaited: [WaitGraph.Wait]
  ) -> [WaitGraph.Wait] {
    var queues: [ObjectIdentifier: OperationQueue] = [:]
    var schedulers: [ObjectIdentifier: ExclusionScheduler] = [:]
    for operation in children + awaited.flatMap({ [$0.who, $0.whom] }) {
      queues[ObjectIdentifier(operation.record.queue)] = operation.record.queue
    }
    for queue in queues.values { schedulers[ObjectIdentifier(queue.exclusion)] = queue.exclusion }
    let tickets = schedulers.values.flatMap(\.waits)
    for wait in tickets { queues[ObjectIdentifier(wait.who.record.queue)] = wait.who.record.queue }
    return awaited + tickets + queues.values.flatMap(\.waits)
  }
}

extension OperationState {
  fileprivate var isExecuting: Bool { if case .executing = self { true } else { false } }
}
