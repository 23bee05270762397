import Machine

/// A signal that wakes the watchers of a store.
enum StoreSignal: Sendable {
  /// Something may have changed.
  case changed
  /// The store cannot be watched any longer.
  case failed(StoreError)
}

/// Wakes all watchers of one store. Signals that have not been read yet are merged into one.
final class StoreSignals: Sendable {
  private let signals = Broadcast<StoreSignal>()
  private let watcher: any StoreWatcher

  /// - Parameter watcher: Runs while anyone watches.
  init(watcher: any StoreWatcher = NoWatcher()) { self.watcher = watcher }

  /// Signals from now on, until the stream's consumer goes away.
  func subscribe() throws(StoreError) -> AsyncStream<StoreSignal> {
    try watcher.start { [signals] signal in signals.send(signal) }
    return signals.subscribe { [watcher] in watcher.stop() }.stream
  }

  func send(_ signal: StoreSignal) { signals.send(signal) }
}

/// Watches for changes by others. Each start is followed by one stop.
protocol StoreWatcher: Sendable {
  func start(_ signal: @escaping @Sendable (StoreSignal) -> Void) throws(StoreError)
  func stop()
}

/// For a store that nobody else can change.
struct NoWatcher: StoreWatcher {
  func start(_ signal: @escaping @Sendable (StoreSignal) -> Void) throws(StoreError) {}
  func stop() {}
}
