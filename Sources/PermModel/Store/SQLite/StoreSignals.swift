import Machine

/// A signal that wakes the watchers of a store.
enum StoreSignal: Sendable {
  /// Something may have changed.
  case changed
  /// The store cannot be watched any longer.
  case failed(StoreError)
}

/// Wakes all watchers of one store. Signals that have not been read yet are merged into one.
package final class StoreSignals: Sendable {
  private let signals = Broadcast<StoreSignal>()
  private let watcher: FolderWatcher?

  /// - Parameter watcher: Watches for changes by others, and runs while anyone watches this store; `nil` for a store that
  ///   nobody else can change.
  init(watcher: FolderWatcher? = nil) { self.watcher = watcher }

  /// Signals from now on, until the stream's consumer goes away.
  func subscribe() throws(StoreError) -> AsyncStream<StoreSignal> {
    try watcher?.start { [signals] signal in signals.send(signal) }
    return signals.subscribe { [watcher] in watcher?.stop() }.stream
  }

  func send(_ signal: StoreSignal) { signals.send(signal) }
}
