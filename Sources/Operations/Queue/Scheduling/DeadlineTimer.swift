import Machine

/// Acts when deadlines pass. However many there are, at most one task sleeps.
final class DeadlineTimer: Sendable {
  private struct State {
    var heap = DeadlineHeap<Alarm>()
    var sleeper: Task<Void, Never>?
    var sleepsUntil: Duration?
  }

  /// The action to take when a deadline passes.
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

  /// Makes the sleeping task sleep until the next deadline.
  private func sleepUntilNext() {
    let outdated = state.withLock { state -> Task<Void, Never>? in
      guard state.heap.nextTime != state.sleepsUntil else { return nil }
      let outdated = state.sleeper
      state.sleepsUntil = state.heap.nextTime
      state.sleeper = state.sleepsUntil.map { time in Task.detached { await self.sleep(until: time) } }
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
