import Operations

/// Counts who holds what, and notices when two hold the same.
final class Holders: Sendable {
  private struct State: Sendable {
    var held: Set<Int> = []
    var overlaps = 0
    var executed = 0
  }

  private let state = Lock(State())

  var overlaps: Int { state.withLock { $0.overlaps } }
  var executed: Int { state.withLock { $0.executed } }

  func enter(_ categories: [Int]) {
    state.withLock { state in
      state.executed += 1
      for category in categories where !state.held.insert(category).inserted { state.overlaps += 1 }
    }
  }

  func leave(_ categories: [Int]) {
    state.withLock { $0.held.subtract(categories) }
  }
}
