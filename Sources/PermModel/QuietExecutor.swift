import Dispatch

/// Runs the steps of tasks one after the other, in a thread that is there only while there is something to do.
///
/// From the first task on that runs in the pool of all tasks, libdispatch looks after that pool once a second, for as
/// long as the process runs. What follows the world quietly, and shall not wake up while nothing happens, runs here.
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
  /// A task of the ``QuietExecutor``, and of all child tasks of it.
  @discardableResult
  package static func quiet(
    _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: QuietExecutor.shared, operation: operation)
  }
}
