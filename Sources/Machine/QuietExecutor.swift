import Dispatch

/// An executor that runs the steps of tasks on a few threads of its own. While there is nothing to do, they sleep.
///
/// Once any task has run in Swift's shared thread pool, libdispatch checks that pool every second for as long as the
/// process runs. Therefore the tasks of a dashboard and of a broker run here instead, so that the process is not woken
/// while nothing happens. For the same reason, they sleep with ``QuietClock``.
package final class QuietExecutor: TaskExecutor {
  package static let shared = QuietExecutor()

  private struct Line: Sendable {
    var steps: [UnownedJob] = []
    var threads = 0
    /// The number of threads that have found nothing to do, and have not been woken since.
    var idle = 0
  }

  private enum Helper {
    case idleThread, newThread, busyThread
  }

  private let line = Lock(Line())
  private let work = DispatchSemaphore(value: 0)
  /// Some steps wait for a file or for a lock of another process. At least four threads keep them from holding up all
  /// others, because this executor does not notice blocked threads and start more.
  private let mostThreads = max(4, SystemClock.processorCount)

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let step = UnownedJob(job)
    let helper = line.withLock { line -> Helper in
      line.steps.append(step)
      if line.idle > 0 {
        line.idle -= 1
        return .idleThread
      }
      guard line.threads < mostThreads else { return .busyThread }
      line.threads += 1
      return .newThread
    }
    switch helper {
    case .idleThread: work.signal()
    case .newThread: startThread()
    case .busyThread: break
    }
  }

  private func startThread() {
    guard !BlockingThread.start({ self.workOn() }) else { return }
    // Without any thread, the steps would wait forever, so the calling thread performs them.
    let isAlone = line.withLock { line in
      line.threads -= 1
      return line.threads == 0
    }
    while isAlone, let step = takeStep(becomingIdle: false) {
      step.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Returns the next step. If there is none, the calling thread can be counted as idle at the same moment.
  private func takeStep(becomingIdle: Bool) -> UnownedJob? {
    line.withLock { line in
      guard line.steps.isEmpty else { return line.steps.removeFirst() }
      if becomingIdle { line.idle += 1 }
      return nil
    }
  }

  private func workOn() {
    while true {
      if let step = takeStep(becomingIdle: true) {
        step.runSynchronously(on: asUnownedTaskExecutor())
      } else {
        work.wait()
      }
    }
  }
}

extension Task where Failure == Never {
  /// Starts a task that runs on the ``QuietExecutor``, together with all of its child tasks.
  @discardableResult
  package static func quiet(
    _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: QuietExecutor.shared, operation: operation)
  }
}

extension Task where Failure == any Error {
  /// Starts a task that runs on the ``QuietExecutor``, together with all of its child tasks.
  package static func quiet(
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: QuietExecutor.shared, operation: operation)
  }
}
