import Machine
import Synchronization

/// A detector that finds operations which wait for one another in a cycle, and makes one operation in each cycle fail.
///
/// Dependencies, places and tickets alone cannot form a cycle. A cycle requires an executing operation that waits for
/// its child or, through its context, for another operation's outcome. The detector is idle while there is no such
/// operation. Otherwise, a task searches for cycles whenever a wait begins. However many waits begin, the searches take
/// up only a limited share of the time. Executing work cannot be forced to end, so if two operations execute and await
/// each other, neither of them fails.
final class WaitCycleDetector: Sendable {
  private struct State: Sendable {
    var children: Set<OperationReference> = []
    /// The waits of executing operations for the outcomes of other operations. Each value is the number of times that
    /// the same wait is in progress.
    var awaited: [WaitGraph.Wait: Int] = [:]
    var isLooking = false
    var isAskedAgain = false
  }

  private let timeline: Timeline
  /// The number of waits by executing operations. While it is zero, there can be no cycle.
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

  /// Runs `body`, in which an executing operation waits for another operation's outcome. The detector takes
  /// this wait into account until `body` returns.
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

  /// Starts a search for cycles if there can be any. Must be called, without any lock held, whenever an operation
  /// begins to wait for another one.
  func waitBegan() {
    guard count.load(ordering: .relaxed) > 0 else { return }
    let isIdle = state.withLock { state in
      defer { state.isLooking = true }
      state.isAskedAgain = state.isLooking
      return !state.isLooking
    }
    if isIdle { Task.quiet { await self.look() } }
  }

  private func look() async {
    var hasBroken: Bool
    repeat {
      let start = timeline.now()
      hasBroken = breakCycles()
      let end = timeline.now()
      if end > start { try? await timeline.sleep(end + (end - start) * 4) }
    } while looksAgain(hasBroken)
  }

  private func looksAgain(_ hasBroken: Bool) -> Bool {
    state.withLock { state in
      state.isLooking = state.isAskedAgain || hasBroken
      state.isAskedAgain = false
      return state.isLooking
    }
  }

  /// Breaks each cycle of waits by ending one of its waits. Returns false if there was no cycle to break.
  ///
  /// The locks that protect the waits are taken one after the other, so the waits are not all read at the
  /// same time. Therefore, a cycle is broken only if a second reading finds all of its waits again.
  private func breakCycles() -> Bool {
    let (suspects, first) = reading()
    let graph = WaitGraph(first)
    guard suspects.contains(where: { graph.cycle(through: $0) != nil }) else { return false }
    let confirmed = WaitGraph(first.persisting(in: reading().waits))
    var broken: Set<OperationReference> = []
    for suspect in suspects {
      guard let cycle = confirmed.cycle(through: suspect) else { continue }
      guard broken.isDisjoint(with: cycle.map(\.who)) else { continue }
      if !giveTicketBack(in: cycle) { suspect.fail(with: WaitCycle(steps: cycle.map(\.description))) }
      broken.formUnion(cycle.map(\.who))
    }
    return !broken.isEmpty
  }

  /// If an operation in the cycle has a ticket but waits for a place, takes the ticket back. Another operation can then
  /// go first, so none has to fail. Returns false if the cycle contains no such operation.
  private func giveTicketBack(in cycle: [WaitGraph.Wait]) -> Bool {
    cycle.contains { wait in
      guard case .place = wait.reason else { return false }
      return wait.who.record.queue.giveTicketBack(of: wait.who.record)
    }
  }

  /// Returns all waits in the queues and schedulers that a cycle could involve. Also returns the suspects:
  /// the awaited operations that can be made to fail, because they are not executing.
  private func reading() -> (suspects: [OperationReference], waits: WaitGraph.Reading) {
    let (children, awaited) = state.withLock { (Array($0.children), Array($0.awaited.keys)) }
    let suspects = (children + awaited.map(\.whom)).filter { !$0.state.isExecuting }
    let parents = children.compactMap { $0.record.details?.parent }
    return (suspects, waits(around: children + parents, awaited))
  }

  private func waits(
    around operations: [OperationReference], _ awaited: [WaitGraph.Wait]
  ) -> WaitGraph.Reading {
    var queues: [ObjectIdentifier: OperationQueue] = [:]
    var schedulers: [ObjectIdentifier: ExclusionScheduler] = [:]
    for operation in operations + awaited.flatMap({ [$0.who, $0.whom] }) {
      queues[ObjectIdentifier(operation.record.queue)] = operation.record.queue
    }
    for queue in queues.values { schedulers[ObjectIdentifier(queue.exclusion)] = queue.exclusion }
    let tickets = schedulers.values.flatMap(\.waits)
    for wait in tickets { queues[ObjectIdentifier(wait.who.record.queue)] = wait.who.record.queue }
    var reading = WaitGraph.Reading(waits: Set(awaited + tickets))
    for queue in queues.values { queue.addWaits(to: &reading) }
    return reading
  }
}
