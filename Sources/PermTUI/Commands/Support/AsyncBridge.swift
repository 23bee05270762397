import Dispatch
import Synchronization

/// Lets a command, which is synchronous, use work that is asynchronous. The only place that does.
enum AsyncBridge {
  /// What `work` gives. Its steps run on the calling thread, so no other thread is needed, or starved, by waiting.
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

  /// The same for work that may fail.
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

/// Keeps the steps of a task until the thread that waits for it takes them.
private final class CallingThreadExecutor: TaskExecutor {
  private let steps = Mutex<[UnownedJob]>([])
  private let pending = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let step = UnownedJob(job)
    steps.withLock { $0.append(step) }
    pending.signal()
  }

  func wake() { pending.signal() }

  /// Waits for a step, or to be woken, and runs what is there.
  func runNextStep() {
    pending.wait()
    let step = steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    step?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
