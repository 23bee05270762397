import Dispatch
import Foundation

/// A gate for threads; a `Gate` is one for tasks. It opens once.
final class Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

/// Runs code that may block in a thread of its own, so that tasks keep all of theirs.
func inThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}
