import CLinux

/// A clock that measures the same time as `ContinuousClock`, and lets tasks sleep without Swift's shared thread pool.
///
/// `Task.sleep` and `ContinuousClock` put every sleeping task into that pool. From then on, libdispatch wakes the process
/// up once a second; see ``QuietExecutor``.
package struct QuietClock: Clock {
  package typealias Instant = ContinuousClock.Instant

  package init() {}

  package var now: Instant { ContinuousClock.now }
  package var minimumResolution: Duration { ContinuousClock().minimumResolution }

  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    guard let alarms = Alarms.shared else { return try await ContinuousClock().sleep(until: deadline) }
    try await alarms.wait(until: deadline)
  }

  /// Sleeps for a duration. Throws `CancellationError` as soon as the task is cancelled.
  package static func sleep(for duration: Duration) async throws {
    let clock = QuietClock()
    try await clock.sleep(until: clock.now.advanced(by: duration.asWait))
  }
}

/// The sleeping tasks of this process. However many there are, they share one timer, which is set only for the
/// earliest of them. Time during which the machine is suspended counts.
private final class Alarms: Sendable {
  /// The alarms of this process; `nil` if the kernel refuses the timer.
  static let shared = Alarms()

  private struct Alarm: Sendable {
    let id: UInt64
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    /// The alarms, in the order of their deadlines.
    var alarms: [Alarm] = []
    var lastID: UInt64 = 0
  }

  private let timer: Int32
  private let state = Lock(State())

  private init?() {
    timer = timer_of_boot_time()
    guard timer >= 0 else { return nil }
    // This object lives as long as the process, and so does the source.
    let source = Readable.source(of: timer) { [self] in ring() }
    _ = Unmanaged.passRetained(source as AnyObject)
  }

  func wait(until deadline: ContinuousClock.Instant) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        insert(Alarm(id: id, deadline: deadline, continuation: continuation))
        // A cancellation that came before the alarm was inserted did not find it.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func insert(_ alarm: Alarm) {
    state.withLock { state in
      let place = state.alarms.firstIndex { $0.deadline > alarm.deadline } ?? state.alarms.endIndex
      state.alarms.insert(alarm, at: place)
      if place == 0 { setTimer(for: alarm.deadline) }
    }
  }

  private func cancel(_ id: UInt64) {
    let cancelled = state.withLock { state -> Alarm? in
      guard let place = state.alarms.firstIndex(where: { $0.id == id }) else { return nil }
      defer { if place == 0 { setTimer(for: state.alarms.first?.deadline) } }
      return state.alarms.remove(at: place)
    }
    cancelled?.continuation.resume(throwing: CancellationError())
  }

  /// Wakes the tasks whose deadlines have passed, and sets the timer for the next one.
  private func ring() {
    acknowledge_timer(timer)
    let passed = state.withLock { state in
      let now = ContinuousClock.now
      let passed = Array(state.alarms.prefix { $0.deadline <= now })
      state.alarms.removeFirst(passed.count)
      setTimer(for: state.alarms.first?.deadline)
      return passed
    }
    for alarm in passed { alarm.continuation.resume() }
  }

  /// Sets the timer, or stops it if there is no deadline. The lock must be held.
  private func setTimer(for deadline: ContinuousClock.Instant?) {
    guard let deadline else { return set_timer(timer, 0, 0) }
    // A setting of zero would stop the timer. A nanosecond more than the wait is never zero, and never too early.
    let wait = (max(deadline - ContinuousClock.now, .zero) + .nanoseconds(1)).components
    set_timer(timer, Int(wait.seconds), Int(wait.attoseconds / 1_000_000_000))
  }
}
