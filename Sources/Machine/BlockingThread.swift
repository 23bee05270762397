import Dispatch
import Glibc

/// Separate threads for blocking calls, which would otherwise hold up the threads that all tasks share.
package enum BlockingThread {
  /// Runs a closure on a new thread. Returns whether the thread could be created.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body: body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Runs a closure on a new thread and returns its result. If no thread can be created, the closure runs on
  /// the current thread.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      if !start({ continuation.resume(returning: body()) }) { continuation.resume(returning: body()) }
    }
  }

  /// Runs a closure on a new thread, waits for its result, and returns it. Returns `nil` if no thread can be started,
  /// or if the closure takes longer than `patience`; its thread is then left running.
  package static func result<Result: Sendable>(
    within patience: Duration, _ body: @escaping @Sendable () -> Result
  ) -> Result? {
    let outcome = Outcome<Result>()
    let hasStarted = start {
      let result = body()
      outcome.result.withLock { $0 = result }
      outcome.isThere.signal()
    }
    let deadline = DispatchTime.now() + .nanoseconds(Int(patience.asWait / .nanoseconds(1)))
    guard hasStarted, outcome.isThere.wait(timeout: deadline) == .success else { return nil }
    return outcome.result.withLock { $0 }
  }

  private final class Outcome<Result: Sendable>: Sendable {
    let result = Lock<Result?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  package static func sleep(microseconds: UInt32) { usleep(microseconds) }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
