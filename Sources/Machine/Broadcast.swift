/// A sender of elements to any number of listeners. Each listener receives only the newest of the elements
/// that it has not read yet.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var listeners: [UInt64: AsyncStream<Element>.Continuation] = [:]
    var next: UInt64 = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Adds a listener. Returns its stream of all future elements, and a continuation that sends to this listener alone.
  ///
  /// - Parameter ended: Called when the stream ends, for example because its consumer goes away.
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
    // The lock is released before the listeners are woken.
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
  }

  /// The current number of listeners.
  package var listenerCount: Int { state.withLock { $0.listeners.count } }

  deinit {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }
}

/// A sender of signals that something has changed. The signals do not carry the new state. Listeners look it up
/// themselves, so none of them sees an old state after a newer one.
package typealias ChangeSignal = Broadcast<Void>

extension Broadcast where Element == Void {
  /// Returns a stream of all future signals, preceded by one that is sent immediately.
  package func changes() -> AsyncStream<Void> {
    let (stream, continuation) = subscribe()
    continuation.yield()
    return stream
  }

  package func send() { send(()) }
}
