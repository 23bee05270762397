import Dispatch
import Machine

/// Threads for what can take long. A few of them work at a time, or they would wait for each other; the others wait for the
/// network, a disk or their turn.
final class WorkerThreads: Sendable {
  private let pool: WorkerPool<@Sendable () -> Void>
  private let turns: DispatchSemaphore

  /// - Parameters:
  ///   - most: The largest number of threads. Beyond it, work waits for a thread that has become free.
  ///   - active: The largest number of threads that work at a time.
  init(most: Int, active: Int) {
    let turns = DispatchSemaphore(value: active)
    self.turns = turns
    pool = WorkerPool(mostThreads: most, idleTime: .milliseconds(500)) { work in
      turns.wait()
      work()
      turns.signal()
    }
  }

  /// Does some work on another thread. This does not wait. Returns whether the work will be done.
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard pool.add(work) == .withoutThread else { return true }
    _ = pool.takeFirst()
    return false
  }

  /// Lets another thread work while this one waits.
  func waiting<Result, Problem: Error>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
    turns.signal()
    defer { turns.wait() }
    return try body()
  }
}
