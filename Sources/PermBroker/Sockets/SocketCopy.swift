import Glibc

/// A second descriptor of a connection, for a thread that reads and writes the connection itself. Closing the first one
/// cannot make it refer to something else.
final class SocketCopy: Sendable {
  private static let chunk = 4096

  private let descriptor: Int32

  /// Returns `nil` if there are too many descriptors.
  init?(of descriptor: Int32) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if self.descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Sends a short reply. Returns `false` if the connection does not take it at once; the kernel takes all of it or
  /// none.
  func send(_ bytes: [UInt8]) -> Bool {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return Glibc.send(descriptor, bytes, bytes.count, flags) == bytes.count
  }

  /// Returns the bytes that have arrived, after waiting for them; empty if none arrive in time, or if the connection
  /// has ended.
  func receive(within milliseconds: Int32) -> [UInt8] {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
    }
  }

  /// Ends the connection, although this descriptor is still open.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
