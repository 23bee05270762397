import Dispatch

/// Waiting for a descriptor in a task.
enum Readable {
  /// Waits until there is something to read, or its other side is gone, or the task is cancelled.
  static func wait(_ descriptor: Int32) async {
    let (events, event) = AsyncStream.makeStream(of: Void.self)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { event.yield() }
    source.activate()
    defer { source.cancel() }
    for await _ in events { return }
  }
}
