import Dispatch
import Machine

/// Threads for what can take long. A few of them work at a time, or they would wait for each other; the others wait for the
/// network, a disk or their turn.
final class WorkerThreads: Sendable {
  private struct State {
    var threads = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private let most: Int
  private let turns: DispatchSemaphore
  private let state = Lock(State())

  /// - Parameters:
  ///   - most: The largest number of threads. Beyond it, work waits for a thread that has become free.
  ///   - active: The largest number of threads that work at a time.
  init(most: Int, active: Int) {
    self.most = most
    turns = DispatchSemaphore(value: active)
  }

  /// Does some work on another thread. This does not wait. Returns whether the work will be done.
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let hasRoom = state.withLock { state in
      if state.threads < most { state.threads += 1 } else { state.waiting.append(work) }
      return state.waiting.isEmpty
    }
    guard hasRoom else { return true }
    let isStarted = BlockingThread.start { [self] in
      turns.wait()
      work()
      while let next = nextWork() { next() }
      turns.signal()
    }
    if !isStarted { state.withLock { $0.threads -= 1 } }
    return isStarted
  }

  /// Lets another thread work while this one waits.
  func waiting<Result, Problem: Error>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
    turns.signal()
    defer { turns.wait() }
    return try body()
  }

  private func nextWork() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.threads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
