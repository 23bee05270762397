/// Sends elements to any number of listeners. Each keeps only the newest element that it has not read yet.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var listeners: [UInt64: AsyncStream<Element>.Continuation] = [:]
    var next: UInt64 = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Returns the elements from now on, and a function that sends to this listener alone.
  ///
  /// - Parameter ended: Called when the consumer goes away.
  package func subscribe(
    ended: @escaping @Sendable () -> Void = {}
  ) -> (stream: AsyncStream<Element>, continuation: AsyncStream<Element>.Continuation) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
      ended()
    }
    return (stream, continuation)
  }

  package func send(_ element: Element) {
    // Listeners are woken outside the lock.
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
  }

  /// The number of listeners now.
  package var listenerCount: Int { state.withLock { $0.listeners.count } }

  deinit {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }
}

/// Signals that something has changed. Listeners look up the change themselves, so none sees an old state after a newer
/// one.
package typealias ChangeSignal = Broadcast<Void>

extension Broadcast where Element == Void {
  /// Returns the signals from now on; the first comes at once.
  package func changes() -> AsyncStream<Void> {
    let (stream, continuation) = subscribe()
    continuation.yield()
    return stream
  }

  package func send() { send(()) }
}
