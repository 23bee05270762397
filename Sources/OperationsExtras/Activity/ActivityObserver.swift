import Machine
public import Operations

/// Reports when there is activity to show: at least one observed operation executes.
///
/// The indicator goes off a while after the last operation ended, so that it does not flicker between two.
public final class ActivityObserver: OperationObserver {
  fileprivate struct State: Sendable {
    var executing: Set<OperationReference> = []
    var isShown = false
    /// Changes that have not been reported yet; the reporting thread takes them one at a time.
    var untold: [Bool] = []
    var isTelling = false
    var hiding: Task<Void, Never>?
  }

  private let delay: Duration
  private let show: @Sendable (_ isActive: Bool) -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - delay: The time that the indicator stays on after the last operation, on the clock of that operation's queue.
  ///   - show: Called with each change, never twice in a row with the same value.
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

  /// Reports the changes in order, unless another thread is already reporting and will report these too.
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
