import Dispatch

/// Runs the steps of tasks one after the other, in a thread that exists only while there is work to do.
///
/// As soon as a task has run in the shared pool of all tasks, libdispatch checks that pool once a second for as long as
/// the process runs. Tasks that wait for changes, and must not wake the process while nothing happens, run here.
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
