@preconcurrency import Dispatch

/// Waiting for something to read from a descriptor.
package enum Readable {
  /// Waits until there is something to read, the other side is gone, or the task is cancelled.
  package static func wait(for descriptor: Int32) async {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        source.setEventHandler { source.cancel() }
        // Only then may the caller close the descriptor: its number may be used again at once.
        source.setCancelHandler { continuation.resume() }
        source.activate()
      }
    } onCancel: {
      source.cancel()
    }
  }
}
