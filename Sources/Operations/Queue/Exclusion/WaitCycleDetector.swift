import Machine
import Synchronization

/// Finds operations that wait for one another forever, and makes one of each circle fail.
///
/// Dependencies, places and tickets alone cannot form a circle: it takes an operation that executes and waits, for its
/// child or, through its context, for another's outcome. So the detector is idle while there are none. Otherwise a task
/// searches whenever a wait begins; however many begin, the search takes a limited share of the time. Executing work
/// cannot be made to end, so if two operations execute and await each other, neither fails.
final class WaitCycleDetector: Sendable {
  private struct State: Sendable {
    var children: Set<OperationReference> = []
    /// The executing operations that await another's outcome, and how many times each does.
    var awaited: [WaitGraph.Wait: Int] = [:]
    var isLooking = false
    var isAskedAgain = false
  }

  private let timeline: Timeline
  /// The number of waits without which there can be no circle.
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

  /// Runs `body`, during which an executing operation waits for another's outcome.
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

  /// Breaks each circle of waits in one place; returns false if there was none.
  ///
  /// The waits are read one lock after the other, so a circle counts only if all of it is still there on a second
  /// reading.
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

  /// Makes an operation in the circle that waits for a place return its ticket, so that another goes first and none has
  /// to fail.
  private func giveTicketBack(in cycle: [WaitGraph.Wait]) -> Bool {
    cycle.contains { wait in
      guard case .place = wait.reason else { return false }
      return wait.who.record.queue.giveTicketBack(of: wait.who.record)
    }
  }

  /// Returns all waits around the operations that execute and wait, and the suspects: those that can be made to fail.
  /// Executing work ends by itself.
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
