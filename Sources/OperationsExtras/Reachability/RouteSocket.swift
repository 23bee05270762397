import Glibc
import Machine

/// A netlink socket to which the kernel writes when links, addresses or routes change.
enum RouteSocket {
  /// The kernel's multicast groups for links, addresses and routes, for both IPv4 and IPv6.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

  static func changes() throws(ReachabilityError) -> AsyncStream<Void> {
    let socket = try open()
    return Readable.events(of: socket) { takeNews(from: socket) }
  }

  private static func open() throws(ReachabilityError) -> Int32 {
    let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let routes: Int32 = 0
    let descriptor = socket(AF_NETLINK, kind, routes)
    guard descriptor >= 0 else { throw .unreadable("netlink", reason: SystemError("open").reason) }
    let address = Address(groups: groups)
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard result == 0 else {
      let error = SystemError("bind")
      close(descriptor)
      throw .unreadable("netlink", reason: error.reason)
    }
    return descriptor
  }

  /// Reads a pending message, and discards it. Returns `false` if the socket is broken.
  private static func takeNews(from socket: Int32) -> Bool {
    var message = [UInt8](repeating: 0, count: 8_192)
    let count = recv(socket, &message, message.count, Int32(MSG_DONTWAIT))
    // ENOBUFS means that messages were lost. The loss is harmless: the caller only needs to know of some change.
    return count > 0 || [ENOBUFS, EINTR, EAGAIN].contains(errno)
  }

  /// The kernel's `struct sockaddr_nl`, which Swift's Glibc module leaves out.
  private struct Address {
    var family = sa_family_t(AF_NETLINK)
    var padding: UInt16 = 0
    var port: UInt32 = 0
    var groups: UInt32
  }
}
