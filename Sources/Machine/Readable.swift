@preconcurrency package import Dispatch
import Glibc

/// Functions that wait until there is something to read from a descriptor: bytes, events, or the end of the
/// connection because the other side has hung up.
package enum Readable {
  /// The queue on which sources report. Unlike the global queues, it does not start the pool that libdispatch checks
  /// every second.
  package static let queue = DispatchQueue(label: "permtui.readable")

  /// Returns a source that calls `noticed` whenever there is something to read. `noticed` must then read it. No thread
  /// is blocked while the source waits.
  ///
  /// - Parameter closing: Whether to close the descriptor once the source is cancelled.
  package static func source(
    of descriptor: Int32, on queue: DispatchQueue = queue, closing: Bool = false,
    _ noticed: @escaping @Sendable () -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: noticed)
    if closing { source.setCancelHandler { close(descriptor) } }
    source.activate()
    return source
  }

  /// Waits until there is something to read, the other side has hung up, or the task is cancelled.
  package static func wait(for descriptor: Int32) async {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        source.setEventHandler { source.cancel() }
        // The caller is resumed only after the source has been cancelled. Otherwise, the caller could close a
        // descriptor that the source is still using.
        source.setCancelHandler { continuation.resume() }
        source.activate()
      }
    } onCancel: {
      source.cancel()
    }
  }

  /// Returns a stream that sends an element each time data has been read. The descriptor is closed when the
  /// stream ends or its consumer goes away.
  ///
  /// - Parameter take: Reads the available data; returns `false` if no more data will come.
  package static func events(
    of descriptor: Int32, taking take: @escaping @Sendable () -> Bool
  ) -> AsyncStream<Void> {
    let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = source(of: descriptor, closing: true) {
      if take() { continuation.yield() } else { continuation.finish() }
    }
    continuation.onTermination = { _ in source.cancel() }
    return events
  }

  /// Blocks the thread until the other side of at least one of the sockets has hung up. What the other side has sent is
  /// not read.
  package static func waitForHangUp(of descriptors: [Int32]) {
    var entries = descriptors.map { pollfd(fd: $0, events: 0, revents: 0) }
    while Glibc.poll(&entries, nfds_t(entries.count), -1) < 0, errno == EINTR {}
  }

  /// Blocks the thread until at least one of the descriptors can be read, and returns those that can. Returns an empty
  /// set if none can be read in time.
  ///
  /// - Parameter milliseconds: The maximum time to wait; -1 for no limit.
  package static func poll(_ descriptors: [Int32], milliseconds: Int32 = -1) -> Set<Int32> {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while Glibc.poll(&entries, nfds_t(entries.count), milliseconds) < 0, errno == EINTR {}
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
  }

  /// Reads what is there, and blocks the thread until there is something. Returns `nil` at the end.
  package static func bytes(of descriptor: Int32) -> ArraySlice<UInt8>? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var count: Int
    repeat { count = read(descriptor, &chunk, chunk.count) } while count < 0 && errno == EINTR
    return count > 0 ? chunk[..<count] : nil
  }

  /// Blocks the thread until a descriptor can be read. Returns `false` if it cannot be read in time, or if the reader at
  /// the other end of `output` goes away first.
  package static func poll(
    _ descriptor: Int32, untilGone output: Int32, milliseconds: Int32
  ) -> Bool {
    // Without a requested event, only errors and the end of the connection are reported.
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0),
    ]
    while Glibc.poll(&entries, nfds_t(entries.count), milliseconds) < 0, errno == EINTR {}
    return entries[0].revents != 0
  }
}
