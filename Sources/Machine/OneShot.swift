/// A value that is set once, and that any number of tasks can wait for. Only the first value counts.
package final class OneShot<Value: Sendable>: Sendable {
  private enum State {
    case open([CheckedContinuation<Value, Never>])
    case set(Value)
  }

  private let state = Lock(State.open([]))

  package init() {}

  /// The value. Reading this property waits until the value is set, also if the task is cancelled.
  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          switch state {
          case .set(let value): return value
          case .open(let waiting):
            state = .open(waiting + [continuation])
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }

  /// Sets the value, unless it was set before.
  package func set(_ value: Value) {
    let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
      guard case .open(let waiting) = state else { return [] }
      state = .set(value)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }
}
