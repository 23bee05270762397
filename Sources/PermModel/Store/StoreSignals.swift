import Machine

/// What wakes those who watch a store.
enum StoreSignal: Sendable {
  /// Something may have changed.
  case changed
  /// Nothing more can be seen.
  case failed(StoreError)
}

/// Wakes everyone who watches one store. Signals that nobody has looked at yet become one.
final class StoreSignals: Sendable {
  private struct State: Sendable {
    var continuations: [UInt64: AsyncStream<StoreSignal>.Continuation] = [:]
    var next: UInt64 = 0
  }

  private let state = Lock(State())
  private let watcher: any StoreWatcher

  /// - Parameter watcher: runs while anyone watches.
  init(watcher: any StoreWatcher = NoWatcher()) { self.watcher = watcher }

  /// Signals from now on, until the stream's consumer goes away.
  func subscribe() throws(StoreError) -> AsyncStream<StoreSignal> {
    try watcher.start { [weak self] signal in self?.send(signal) }
    let (stream, continuation) = AsyncStream<StoreSignal>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.next += 1
      state.continuations[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
    return stream
  }

  func send(_ signal: StoreSignal) {
    // Continuations are resumed outside the lock.
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(signal) }
  }

  private func unsubscribe(_ id: UInt64) {
    let wasThere = state.withLock { $0.continuations.removeValue(forKey: id) != nil }
    if wasThere { watcher.stop() }
  }
}

/// Looks out for changes that others make. Each start is followed by one stop.
protocol StoreWatcher: Sendable {
  func start(_ signal: @escaping @Sendable (StoreSignal) -> Void) throws(StoreError)
  func stop()
}

/// For a store that nobody else can change.
struct NoWatcher: StoreWatcher {
  func start(_ signal: @escaping @Sendable (StoreSignal) -> Void) throws(StoreError) {}
  func stop() {}
}
