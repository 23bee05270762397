import Machine

/// Brings the news that the program is about to be stopped, as by ^Z at its terminal, and that it goes on.
///
/// Whoever catches the signal tells it here: before stopping, `willSuspend`, which returns once the program may be
/// stopped; after waking, `didResume`.
public final class ProgramSuspension: Sendable {
  private struct State {
    var isSuspended = false
    var cancelled: Set<OperationReference> = []
    var awaited: Set<OperationReference> = []
  }

  private let clock: any Clock<Duration>
  private let state = Lock(State())

  /// - Parameter clock: For the time that operations are given to finish.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// Whether the program is stopped or about to be.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Cancels the operations that shall not be stopped half-way, and waits for those that want to finish.
  ///
  /// - Parameter grace: Waits no longer than this.
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

  /// The program goes on.
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
