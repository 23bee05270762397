import Glibc

/// A netlink socket that the kernel writes to when links, addresses or routes change.
enum RouteSocket {
  /// The kernel's multicast groups for links, and for addresses and routes of both families.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

  static func changes() throws(ReachabilityError) -> AsyncStream<Void> {
    let socket = try open()
    let (ours, theirs) = try makeStop(closingOnFailure: socket)
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { _ in close(ours) }
    BlockingCall.start {
      while waitForNews(socket, stop: theirs) { continuation.yield() }
      continuation.finish()
      close(socket)
      close(theirs)
    }
    return changes
  }

  /// Makes two connected ends: closing ours wakes the thread that waits.
  private static func makeStop(closingOnFailure other: Int32) throws(ReachabilityError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      let reason = lastError()
      close(other)
      throw .unreadable("netlink", reason: reason)
    }
    return (ends[0], ends[1])
  }

  private static func open() throws(ReachabilityError) -> Int32 {
    let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let routes: Int32 = 0
    let descriptor = socket(AF_NETLINK, kind, routes)
    guard descriptor >= 0 else { throw .unreadable("netlink", reason: lastError()) }
    let address = Address(groups: groups)
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard result == 0 else {
      let reason = lastError()
      close(descriptor)
      throw .unreadable("netlink", reason: reason)
    }
    return descriptor
  }

  /// Returns true if a message came; false if the reader is no longer wanted or the socket is broken.
  private static func waitForNews(_ socket: Int32, stop: Int32) -> Bool {
    var sources = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&sources, 2, -1) < 0 { if errno != EINTR { return false } }
    guard sources[1].revents == 0 else { return false }
    var message = [UInt8](repeating: 0, count: 8_192)
    let count = recv(socket, &message, message.count, 0)
    // ENOBUFS means that messages were lost, but it only matters that something changed.
    return count > 0 || errno == ENOBUFS || errno == EINTR
  }

  /// The kernel's `struct sockaddr_nl`, which Swift's Glibc module leaves out.
  private struct Address {
    var family = sa_family_t(AF_NETLINK)
    var padding: UInt16 = 0
    var port: UInt32 = 0
    var groups: UInt32
  }
}
