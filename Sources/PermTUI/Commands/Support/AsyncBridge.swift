import Dispatch
import Synchronization

/// Lets a command, which is synchronous, call asynchronous code. No other code does this.
enum AsyncBridge {
  /// Runs `work` on the calling thread and returns its result, so the wait neither needs nor starves another thread.
  static func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
    let executor = CallingThreadExecutor()
    let result = Mutex<Value?>(nil)
    Task(executorPreference: executor) {
      let value = await work()
      result.withLock { $0 = value }
      executor.wake()
    }
    while true {
      executor.runNextStep()
      if let value = result.withLock({ $0 }) { return value }
    }
  }

  /// Does the same for work that may throw.
  static func perform<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let result: Result<Value, any Error> = wait {
      do {
        return .success(try await work())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// Holds a task's steps until the thread that waits for the task takes them.
private final class CallingThreadExecutor: TaskExecutor {
  private let steps = Mutex<[UnownedJob]>([])
  private let pending = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let step = UnownedJob(job)
    steps.withLock { $0.append(step) }
    pending.signal()
  }

  func wake() { pending.signal() }

  /// Waits for a step or for `wake()`, and runs the first step if there is one.
  func runNextStep() {
    pending.wait()
    let step = steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    step?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
