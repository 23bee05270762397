import BenchmarkFigures
import Dispatch
import Foundation
import Operations
import Synchronization

/// Measures the time from adding to executing on an idle queue, with a condition and exclusion. The operation is added
/// from a thread outside of the pool, as from an event loop, so that each round wakes the pool.
func measureLatency(rounds: Int) {
  let queue = Operations.OperationQueue(exclusion: ExclusionScheduler())
  let conditions: [any OperationCondition] = [Yes(), MutuallyExclusive("one")]
  let (mutex, condition) = (ActorMutex(), anyHandCondition())
  let moment = Moment()
  var samples = (kernel: Samples(), hand: Samples())
  for _ in 0..<rounds {
    samples.kernel.add(
      moment.microseconds {
        queue.add(conditions: conditions) { _ in moment.reached() }
      })
    samples.hand.add(
      moment.microseconds {
        Task.detached {
          guard await condition.holds() else { return }
          await mutex.lock()
          if await condition.holds() { moment.reached() }
          await mutex.unlock()
        }
      })
  }
  print("\nfrom adding to executing, idle queue, condition and exclusion, µs of \(rounds)")
  for (name, figures) in [("kernel", samples.kernel), ("by hand, task and mutex", samples.hand)] {
    let columns = [0.5, 0.9, 0.99].map { "p\(Int($0 * 100)) " + format(figures.percentile($0)) }
    print("  " + name.padding(28) + columns.map { $0.leftPadding(14) }.joined())
  }
  let ratio = samples.kernel.median / samples.hand.median
  FigureFile.note("kernel/hand at p50", [ratio, ratio, ratio])
  print("  kernel/hand at p50: " + format(ratio))
}

/// A moment in a task that a thread waits for.
private final class Moment: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let time = Mutex<ContinuousClock.Instant?>(nil)

  func reached() {
    let now = ContinuousClock.now
    time.withLock { $0 = now }
    semaphore.signal()
  }

  /// Returns the time from the start of `body` until the moment is reached.
  func microseconds(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    semaphore.wait()
    let end = time.withLock { $0 } ?? start
    // This is long enough for the pool's threads to go to sleep again; spinning keeps this thread's caches as they are.
    while end.duration(to: .now) < .microseconds(100) {}
    return start.duration(to: end).milliseconds * 1_000
  }
}
