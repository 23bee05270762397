import Machine

/// The link between a program's signal handling and the operations that must react before the program is stopped, for
/// example with ^Z in its terminal.
///
/// The code that catches the signal calls `willSuspend` before it stops the program, and `didResume` after
/// the program has continued. `willSuspend` returns once the program can be stopped.
public final class ProgramSuspension: Sendable {
  private struct State {
    var isSuspended = false
    var cancelled: Set<OperationReference> = []
    var awaited: Set<OperationReference> = []
  }

  private let clock: any Clock<Duration>
  private let state = Lock(State())

  /// - Parameter clock: The clock that measures the grace period in which operations can finish.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// Whether the program is stopped or about to be stopped.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Cancels the operations that must not be stopped halfway, and waits for the executing operations that need to
  /// finish first.
  ///
  /// - Parameter grace: The maximum time to wait for the operations that need to finish.
  public func willSuspend(grace: Duration = .seconds(2)) async {
    let (cancelled, awaited) = state.withLock { state in
      state.isSuspended = true
      return (state.cancelled, state.awaited)
    }
    for operation in cancelled { operation.cancel() }
    guard !awaited.isEmpty else { return }
    let clock = clock
    let timer = Task.detached { try? await clock.sleep(for: grace.asWait) }
    let waiter = Task.detached {
      for operation in awaited { _ = await operation.outcome }
      timer.cancel()
    }
    await timer.value
    waiter.cancel()
  }

  /// Records that the program has continued.
  public func didResume() { state.withLock { $0.isSuspended = false } }

  func follow(_ operation: OperationReference, _ reaction: BackgroundObserver.Reaction) {
    let isSuspended = state.withLock { state in
      switch reaction {
      case .cancels: state.cancelled.insert(operation)
      case .finishes: state.awaited.insert(operation)
      }
      return state.isSuspended
    }
    if isSuspended, reaction == .cancels { operation.cancel() }
  }

  func forget(_ operation: OperationReference) {
    state.withLock { state in
      state.cancelled.remove(operation)
      state.awaited.remove(operation)
    }
  }
}
