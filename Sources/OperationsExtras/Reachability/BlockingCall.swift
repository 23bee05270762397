import Glibc

/// Runs blocking code on a thread of its own, so that none of the threads that tasks share waits for it.
enum BlockingCall {
  static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      start { continuation.resume(returning: body()) }
    }
  }

  /// Starts the thread; if the machine has no more threads, runs the body on this one.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard result == 0 else { return work.takeRetainedValue().body() }
    pthread_detach(thread)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
