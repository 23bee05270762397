import Glibc

/// Work that is done when the process ends by returning or by `exit`, but not when a signal ends it.
package enum ProcessEnd {
  private struct State {
    var work: [Int: @Sendable () -> Void] = [:]
    var lastID = 0
  }

  private static let state = Lock(State())
  private static let isPrepared: Bool = atexit { ProcessEnd.run() } == 0

  /// A registered piece of work. It is no longer registered when the last reference to this object is released.
  package final class Registration: Sendable {
    private let id: Int

    fileprivate init(id: Int) { self.id = id }

    deinit { _ = state.withLock { $0.work.removeValue(forKey: id) } }
  }

  package static func register(_ work: @escaping @Sendable () -> Void) -> Registration {
    _ = isPrepared
    let id = state.withLock { state in
      state.lastID += 1
      state.work[state.lastID] = work
      return state.lastID
    }
    return Registration(id: id)
  }

  private static func run() {
    for work in state.withLock({ Array($0.work.values) }) { work() }
  }
}
