import Glibc

/// Threads for blocking calls, so that they never hold up the threads that tasks share.
package enum BlockingThread {
  /// Runs a body on a new thread; returns whether the thread could be made.
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

  /// Runs a body on a new thread, or on this one if no thread can be made, and returns its result.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      if !start({ continuation.resume(returning: body()) }) { continuation.resume(returning: body()) }
    }
  }

  package static func sleep(microseconds: UInt32) { usleep(microseconds) }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
