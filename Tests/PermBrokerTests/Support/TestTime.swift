import Machine
import PermModel

/// A time that a test controls.
final class TestTime: Sendable {
  private struct State {
    var now = Duration.seconds(1_000)
    var sleepers: [(until: Duration, wake: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())
  private let slept = AsyncStream.makeStream(of: Void.self)

  var now: Duration { state.withLock { $0.now } }

  var environment: StoreEnvironment {
    StoreEnvironment(
      now: { [self] in
        Moment(
          wall: Timestamp(seconds: 1_750_000_000) + now, bootID: "boot",
          bootTime: Int64(now / .microseconds(1)), session: { "session" }, isRunning: { _ in true })
      },
      makeID: RandomID.make, thisProcess: ProcessIdentity(pid: 1, startTime: 0))
  }

  func sleep(_ duration: Duration) async throws {
    await withCheckedContinuation { wake in
      state.withLock { $0.sleepers.append(($0.now + duration, wake)) }
      slept.continuation.yield()
    }
    try Task.checkCancellation()
  }

  /// Advances the time, once a task sleeps.
  func advance(_ duration: Duration) async {
    for await _ in slept.stream { break }
    let woken = state.withLock { state in
      state.now += duration
      let woken = state.sleepers.filter { $0.until <= state.now }
      state.sleepers.removeAll { $0.until <= state.now }
      return woken.map(\.wake)
    }
    woken.forEach { $0.resume() }
  }
}
