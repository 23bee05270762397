import Machine
import PermModelTesting

/// A clock on which time passes only while a task sleeps, and then at once. It records the length of each sleep.
final class PatientClock: Clock, Sendable {
  private struct State {
    var now = ManualClock.Instant(offset: .zero)
    var waits: [Duration] = []
  }

  private let state = Lock(State())

  var now: ManualClock.Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  var waits: [Duration] { state.withLock { $0.waits } }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.waits.append(state.now.duration(to: deadline))
      state.now = max(state.now, deadline)
    }
  }
}
