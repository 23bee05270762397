import Machine
public import Operations

/// An observer that reports whether any observed operation is executing, for example to show an activity indicator.
///
/// The end of the activity is reported some time after the last operation has ended, so that an indicator does not
/// flicker between two operations.
public final class ActivityObserver: OperationObserver {
  fileprivate struct State: Sendable {
    var executing: Set<OperationReference> = []
    var isShown = false
    /// The changes that have not been reported yet. The reporting thread removes them one at a time.
    var untold: [Bool] = []
    var isTelling = false
    var hiding: Task<Void, Never>?
  }

  private let delay: Duration
  private let show: @Sendable (_ isActive: Bool) -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - delay: The time between the end of the last operation and the call of `show`, measured by the clock of
  ///     that operation's queue.
  ///   - show: A closure that is called with the new state whenever the state changes.
  public init(hidingAfter delay: Duration = .seconds(1), show: @escaping @Sendable (_ isActive: Bool) -> Void)
  {
    self.delay = delay
    self.show = show
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) {
    switch event {
    case .executing: started(operation)
    case .ended: ended(operation)
    default: break
    }
  }

  private func started(_ operation: OperationReference) {
    let hiding = state.withLock { state in
      state.executing.insert(operation)
      state.change(to: true)
      return state.hiding.take()
    }
    hiding?.cancel()
    tell()
  }

  private func ended(_ operation: OperationReference) {
    let clock = operation.clock
    let delay = delay.asWait
    state.withLock { state in
      guard state.executing.remove(operation) != nil, state.executing.isEmpty else { return }
      state.hiding = Task.detached { [weak self] in
        guard (try? await clock.sleep(for: delay)) != nil else { return }
        self?.hide()
      }
    }
  }

  private func hide() {
    state.withLock { state in
      guard state.executing.isEmpty else { return }
      state.change(to: false)
      state.hiding = nil
    }
    tell()
  }

  /// Reports the changes in order. If another thread is already reporting, leaves these changes to that thread.
  private func tell() {
    guard state.withLock({ !exchange(&$0.isTelling, with: true) }) else { return }
    while let isShown = state.withLock({ $0.nextUntold() }) { show(isShown) }
  }
}

extension ActivityObserver.State {
  fileprivate mutating func change(to isShown: Bool) {
    guard isShown != self.isShown else { return }
    self.isShown = isShown
    untold.append(isShown)
  }

  fileprivate mutating func nextUntold() -> Bool? {
    guard untold.isEmpty else { return untold.removeFirst() }
    isTelling = false
    return nil
  }
}
