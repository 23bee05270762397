import Machine
public import PermModel

/// An environment whose clocks, sessions and processes are controlled by a test.
public final class FixedEnvironment: Sendable {
  /// The values of the clocks, the current session, and the processes that are running.
  public struct State: Sendable {
    public var wall = Timestamp(seconds: 1_750_000_000)
    public var bootID = "boot-1"
    public var bootTime: Int64 = 5_000_000
    public var session = "session-1"
    public var running: Set<ProcessIdentity> = [FixedEnvironment.process]
    var ids = 0
  }

  /// The process in which a store with this environment appears to run.
  public static let process = ProcessIdentity(pid: 100, startTime: 1)

  private let state = Lock(State())
  private let changed = ChangeSignal()

  public init() {}

  /// Changes the state, and wakes the tasks that wait for the end of a session or process.
  public func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    changed.send()
  }

  /// Waits until a lifetime's process or session has ended. Returns `false` if the wait is cancelled or impossible.
  private func untilEnd(_ lifetime: Lifetime) async -> Bool {
    if case .until = lifetime { return false }
    for await _ in changed.changes() where lifetime.end(asOf: environment.now()) != nil { return true }
    return false
  }

  /// Advances the wall clock and the time since boot by the same duration.
  public func pass(_ duration: Duration) {
    change {
      $0.wall = $0.wall + duration
      $0.bootTime += Int64(duration / .microseconds(1))
    }
  }

  public var wall: Timestamp { state.withLock { $0.wall } }

  public var environment: StoreEnvironment {
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
      thisProcess: FixedEnvironment.process, untilEnd: { [self] in await untilEnd($0) })
  }
}
