import Machine

/// Tells any number of listeners that something has changed. What changed they look up themselves, so nobody
/// ever sees an old state after a newer one.
package final class ChangeSignal: Sendable {
  private struct State {
    var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var next: UInt64 = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Signals from now on, the first at once. Several that nobody has looked at become one. Ends with
  /// its consumer.
  package func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    let id = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  package func send() {
    // Listeners are woken outside the lock.
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
  }

  private func remove(_ id: UInt64) {
    _ = state.withLock { $0.listeners.removeValue(forKey: id) }
  }

  /// How many listen now.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  deinit {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }
}
