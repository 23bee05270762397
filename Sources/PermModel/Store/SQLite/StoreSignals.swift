import Machine

/// A signal that wakes the watchers of a store.
enum StoreSignal: Sendable {
  /// The store might have changed.
  case changed
  /// The store can no longer be watched.
  case failed(StoreError)
}

/// The sender of signals to all watchers of a store. Only the newest of a watcher's unread signals is kept.
package final class StoreSignals: Sendable {
  private let signals = Broadcast<StoreSignal>()
  private let watcher: FolderWatcher?

  /// - Parameter watcher: The watcher for changes by other processes, which runs while this store has subscribers;
  ///   `nil` for a store that no other process can change.
  init(watcher: FolderWatcher? = nil) { self.watcher = watcher }

  /// Returns a stream of all signals from now on. The subscription ends when the consumer stops using the stream.
  func subscribe() throws(StoreError) -> AsyncStream<StoreSignal> {
    try watcher?.start { [signals] signal in signals.send(signal) }
    return signals.subscribe { [watcher] in watcher?.stop() }.stream
  }

  /// Notifies the watchers of a change that this process has made to a file.
  func sendOwnChange() { watcher?.lookAfterOwnChange() }

  func send(_ signal: StoreSignal) { signals.send(signal) }
}
