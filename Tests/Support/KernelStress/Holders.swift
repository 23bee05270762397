import Machine

/// Tracks the held categories, and notices when two operations hold the same one.
package final class Holders: Sendable {
  private struct State: Sendable {
    var held: Set<Int> = []
    var overlaps = 0
    var executed = 0
  }

  private let state = Lock(State())

  package init() {}

  package var overlaps: Int { state.withLock { $0.overlaps } }
  package var executed: Int { state.withLock { $0.executed } }

  package func enter(_ categories: [Int]) {
    state.withLock { state in
      state.executed += 1
      for category in categories where !state.held.insert(category).inserted { state.overlaps += 1 }
    }
  }

  package func leave(_ categories: [Int]) {
    state.withLock { $0.held.subtract(categories) }
  }
}
