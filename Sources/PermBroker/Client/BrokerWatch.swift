import Dispatch
import Glibc

/// Tells when a broker begins to listen, as the kernel reports it: nothing looks again and again.
package final class BrokerWatch: Sendable {
  private let addresses: [BrokerAddress]
  private let socket: BrokerSocket
  private let descriptor: Int32

  /// Starts to watch, so that no broker that begins from here on is missed.
  package init(_ socket: BrokerSocket, among addresses: [BrokerAddress]) throws(BrokerSocketError) {
    self.socket = socket
    self.addresses = addresses
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .system(SystemError("watch the sockets")) }
    watchFolders()
  }

  deinit { close(descriptor) }

  /// Waits until a broker listens; `false` if the task was cancelled before.
  package func waitUntilListening() async -> Bool {
    let (events, event) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { [self] in
      drain()
      event.yield()
    }
    source.activate()
    defer { source.cancel() }
    event.yield()
    for await _ in events {
      // A folder that came into being is looked into from now on.
      watchFolders()
      if isListening { return true }
    }
    return false
  }

  private var isListening: Bool {
    guard let connection = try? UnixSocket.connectToOwn(socket, among: addresses) else { return false }
    close(connection)
    return true
  }

  /// Watches each folder, or where it is not there yet, the one that it will be made in.
  private func watchFolders() {
    let mask = UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO)
    for address in addresses where inotify_add_watch(descriptor, address.folder, mask) < 0 {
      _ = inotify_add_watch(descriptor, address.folder.withoutLastPathPart, mask)
    }
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
