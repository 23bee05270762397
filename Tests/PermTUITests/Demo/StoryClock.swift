import Machine
import PermModel

/// A clock that a test controls: a sleep on it advances the time at once, for the store as well.
final class StoryClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Swift.Duration
    func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let offset = Lock(Swift.Duration.zero)

  var now: Instant { Instant(offset: offset.withLock { $0 }) }
  var minimumResolution: Swift.Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    offset.withLock { $0 = max($0, deadline.offset) }
  }

  /// The world of a store that uses this clock.
  var environment: StoreEnvironment {
    let start = Timestamp(seconds: 1_790_000_000)
    let process = StoreEnvironment.linux(sessionFolder: nil).thisProcess
    return StoreEnvironment(
      now: { [self] in
        let passed = offset.withLock { $0 }
        return Moment(
          wall: start + passed, bootID: "boot", bootTime: Int64(passed / .microseconds(1)),
          session: { "session" }, isRunning: { _ in true })
      },
      makeID: StoreEnvironment.randomID, thisProcess: process)
  }
}
