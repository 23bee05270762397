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
