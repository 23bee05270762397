import Machine

/// A gate that a few tasks can pass at a time. The others wait, in the order in which they came.
final class TaskGate: Sendable {
  private struct State {
    var free: Int
    var waiting: [OneShot<Void>] = []
  }

  private let state: Lock<State>

  init(_ count: Int) { state = Lock(State(free: count)) }

  func pass<Value: Sendable>(_ body: () async -> Value) async -> Value {
    let turn = OneShot<Void>()
    state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        turn.set(())
      } else {
        state.waiting.append(turn)
      }
    }
    await turn.value
    defer { leave() }
    return await body()
  }

  private func leave() {
    let next: OneShot<Void>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.set(())
  }
}
