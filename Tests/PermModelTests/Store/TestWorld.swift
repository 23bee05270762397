import Synchronization

@testable import PermModel

/// Clocks, sessions and processes that a test sets.
final class TestWorld: Sendable {
  struct State {
    var wall = Timestamp(seconds: 1_750_000_000)
    var bootID = "boot-1"
    var bootTime: Int64 = 5_000_000
    var session = "session-1"
    var running: Set<ProcessIdentity> = [TestWorld.self.process]
    var ids = 0
  }

  static let process = ProcessIdentity(pid: 100, startTime: 1)

  private let state = Mutex(State())

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Lets time go by on both clocks.
  func pass(_ duration: Duration) {
    change {
      $0.wall = $0.wall + duration
      $0.bootTime += Int64(duration / .microseconds(1))
    }
  }

  var wall: Timestamp { state.withLock { $0.wall } }

  var environment: StoreEnvironment {
    StoreEnvironment(
      now: { [self] in
        let now = state.withLock { $0 }
        return Moment(
          wall: now.wall, bootID: now.bootID, bootTime: now.bootTime,
          session: { [self] in state.withLock { $0.session } },
          isRunning: { [self] process in state.withLock { $0.running.contains(process) } })
      },
      makeID: { [self] in
        state.withLock {
          $0.ids += 1
          return "id-\($0.ids)"
        }
      },
      thisProcess: TestWorld.process)
  }
}
