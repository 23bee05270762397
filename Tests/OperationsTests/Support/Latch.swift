import Dispatch
import Foundation

/// What a thread waits for; a `Gate` is what a task waits for. It opens once.
final class Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

/// Runs something that may block in a thread of its own, so that it takes none from the tasks.
func inThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}
