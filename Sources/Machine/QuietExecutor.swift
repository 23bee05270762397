/// An executor that runs the steps of tasks on a few threads of its own. While there is nothing to do, they sleep.
///
/// Once any task has run in Swift's shared thread pool, libdispatch checks that pool every second for as long as the
/// process runs. Therefore the tasks of a dashboard and of a broker run here instead, so that the process is not woken
/// while nothing happens. For the same reason, they sleep with ``QuietClock``.
package final class QuietExecutor: TaskExecutor {
  package static let shared = QuietExecutor()

  /// Some steps wait for a file or for a lock of another process. At least four threads keep them from holding up all
  /// others, because this executor does not notice blocked threads and start more.
  private let pool = WorkerPool<UnownedJob>(mostThreads: max(4, SystemClock.processorCount)) {
    $0.runSynchronously(on: QuietExecutor.shared.asUnownedTaskExecutor())
  }

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    guard case .withoutThread = pool.add(UnownedJob(job)) else { return }
    // Without any thread, the steps would wait forever, so the calling thread performs them.
    while let step = pool.takeFirst() { step.runSynchronously(on: asUnownedTaskExecutor()) }
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
