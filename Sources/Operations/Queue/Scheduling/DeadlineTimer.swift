import Machine

/// A timer that makes operations fail when their deadlines pass. However many deadlines there are, at most one task
/// sleeps at a time.
final class DeadlineTimer: Sendable {
  private struct State {
    var heap = DeadlineHeap<Alarm>()
    var sleeper: Task<Void, Never>?
    var sleepsUntil: Duration?
  }

  struct Alarm: Sendable {
    let record: OperationRecord
    let kind: Deadlines.Kind
    let limit: Duration
  }

  private let timeline: Timeline
  private let state = Lock(State())

  init(_ timeline: Timeline) { self.timeline = timeline }

  func set(_ alarm: Alarm, after limit: Duration) -> DeadlineHeap<Alarm>.ID {
    let time = timeline.now() + limit.asWait
    let id = state.withLock { $0.heap.insert(alarm, at: time) }
    sleepUntilNext()
    return id
  }

  func drop(_ id: DeadlineHeap<Alarm>.ID) {
    state.withLock { $0.heap.remove(id) }
    sleepUntilNext()
  }

  /// Ensures that a task sleeps until the next deadline, replacing a task that sleeps until a different time.
  private func sleepUntilNext() {
    let outdated = state.withLock { state -> Task<Void, Never>? in
      guard state.heap.nextTime != state.sleepsUntil else { return nil }
      let outdated = state.sleeper
      state.sleepsUntil = state.heap.nextTime
      state.sleeper = state.sleepsUntil.map { time in Task.quiet { await self.sleep(until: time) } }
      return outdated
    }
    outdated?.cancel()
  }

  private func sleep(until time: Duration) async {
    do { try await timeline.sleep(time) } catch { return }
    let now = max(timeline.now(), time)
    let passed = state.withLock { state in
      if state.sleepsUntil == time { state.sleepsUntil = nil }
      return state.heap.popPassed(at: now)
    }
    sleepUntilNext()
    for alarm in passed { alarm.record.queue.deadlinePassed(alarm) }
  }
}

/// An observer that follows the steps of one operation, and sets the deadline that applies to the current step.
final class DeadlineWatch: OperationObserver {
  private let deadlines: Deadlines
  private let timer: DeadlineTimer
  private let current = Lock<DeadlineHeap<DeadlineTimer.Alarm>.ID?>(nil)

  init(_ deadlines: Deadlines, _ timer: DeadlineTimer) {
    self.deadlines = deadlines
    self.timer = timer
  }

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    switch event {
    case .added: set(.dependencies, for: operation)
    case .remedyStarted: if !current.withLock({ $0 != nil }) { set(.human, for: operation) }
    case .waitingForExclusion: set(.exclusion, for: operation)
    case .executing: set(.execution, for: operation)
    case .dependenciesEnded, .evaluatingConditions, .remediesEnded, .waitingForTurn, .ended: drop()
    case .produced, .cancelRequested: break
    }
  }

  private func set(_ kind: Deadlines.Kind, for operation: OperationReference) {
    drop()
    guard let limit = deadlines[kind] else { return }
    let id = timer.set(DeadlineTimer.Alarm(record: operation.record, kind: kind, limit: limit), after: limit)
    current.withLock { $0 = id }
  }

  private func drop() {
    if let id = current.withLock({ $0.take() }) { timer.drop(id) }
  }
}
