import Dispatch
import Synchronization

/// A bridge that lets synchronous code, such as a command, wait for asynchronous code. Every such wait goes through
/// this type.
enum AsyncBridge {
  /// Runs `work` on the calling thread and returns its result. Because that thread does the work itself, the
  /// wait neither needs nor starves another thread.
  static func wait<Value: Sendable, Failure: Error>(
    for work: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let executor = CallingThreadExecutor()
    let ending = Mutex<Result<Value, Failure>?>(nil)
    Task(executorPreference: executor) {
      let result: Result<Value, Failure>
      do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
      ending.withLock { $0 = result }
      executor.wake()
    }
    while true {
      executor.runNextStep()
      if let result = ending.withLock({ $0 }) { return try result.get() }
    }
  }
}

/// An executor that holds a task's steps until the thread that waits for the task runs them.
private final class CallingThreadExecutor: TaskExecutor {
  private let steps = Mutex<[UnownedJob]>([])
  private let pending = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let step = UnownedJob(job)
    steps.withLock { $0.append(step) }
    pending.signal()
  }

  func wake() { pending.signal() }

  /// Waits for a step or for a call of `wake()`, and then runs the oldest step if there is one.
  func runNextStep() {
    pending.wait()
    let step = steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    step?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
