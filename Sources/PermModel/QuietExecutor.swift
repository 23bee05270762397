import Dispatch

/// An executor that runs the steps of tasks one after another, on a thread that exists only while there is work to do.
///
/// Once any task has run in Swift's shared thread pool, libdispatch checks that pool every second for as long
/// as the process runs. Therefore tasks that only wait for changes run on this executor instead, so that the
/// process is not woken while nothing happens.
package final class QuietExecutor: TaskExecutor {
  package static let shared = QuietExecutor()

  private let queue = DispatchQueue(label: "permtui.quiet")

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let step = UnownedJob(job)
    queue.async { step.runSynchronously(on: self.asUnownedTaskExecutor()) }
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
