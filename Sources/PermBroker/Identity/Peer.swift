import CLinux
import Glibc
package import Machine

/// The process at the other end of a connected Unix socket, as reported by the kernel.
package struct Peer: Hashable, Sendable {
  package var pid: Int32
  package var user: UInt32
  /// The inode number of the peer's socket; `nil` if the kernel does not report it.
  package var socket: UInt32?
  /// The processes that the peer names as those at the other ends of the connections that it has inherited. One of them
  /// uses a key. They are only a claim, which ``KeyUserFinder`` checks.
  package var keyUsers: [Int32] = []
}

extension Peer {
  /// Asks the kernel which process was at the other end when the connection was made.
  ///
  /// - Throws: ``SystemError`` if the descriptor is not a connected Unix socket.
  package init(of descriptor: Int32) throws(SystemError) {
    let (pid, user) = try Self.credentials(of: descriptor)
    self.init(pid: pid, user: user, socket: UnixSocketTable.peer(of: descriptor))
  }

  /// Returns the id of the process at the other end, and the id of its user.
  static func credentials(of descriptor: Int32) throws(SystemError) -> (pid: Int32, user: UInt32) {
    var credentials = peer_credentials()
    var size = socklen_t(MemoryLayout<peer_credentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw SystemError("ask who is connected")
    }
    return (credentials.pid, credentials.uid)
  }

  /// Returns the inode numbers of the sockets at the other ends of the connections that the peer has inherited. Its
  /// connection to this process and its standard streams are not among them.
  func inheritedConnections() -> Set<UInt32> {
    let folder = "/proc/\(pid)/fd"
    let numbers = Folder.names(in: folder).compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
    let own = numbers.compactMap { Self.socket(at: "\(folder)/\($0)") }.filter { $0 != socket }
    return Set(own.compactMap(UnixSocketTable.peer(ofSocket:)))
  }

  /// Whether a process holds the socket with this inode number.
  static func holds(_ socket: UInt32, _ process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    return Folder.names(in: folder).contains { Self.socket(at: "\(folder)/\($0)") == socket }
  }

  /// Returns the inode number of the socket to which a link leads; `nil` if it leads to something else.
  private static func socket(at link: String) -> UInt32? {
    guard let target = Paths.target(ofLink: link), target.hasPrefix("socket:[") else { return nil }
    return UInt32(target.dropFirst("socket:[".count).dropLast())
  }

  /// Whether the process with this id still holds the other end of the connection. The process that connected might
  /// have passed the socket on and ended, and its id might have been reused.
  ///
  /// If the kernel did not report the peer's socket, nothing can be compared, and the result is `true`.
  func isHeld(by pid: Int32) -> Bool {
    socket.map { Self.holds($0, pid) } ?? true
  }
}

/// A connection that this process has inherited from the program that started it.
package struct InheritedConnection: Hashable, Sendable {
  package var descriptor: Int32
  /// The process that made the connection.
  package var process: Int32

  /// Returns the inherited connections of Unix sockets, except the standard streams. Called before this process opens
  /// anything. A socket that listens is none.
  package static func all() -> [InheritedConnection] {
    let numbers = Folder.names(in: "/proc/self/fd").compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
    return numbers.sorted().compactMap { descriptor in
      guard option(SO_DOMAIN, of: descriptor) == AF_UNIX, option(SO_ACCEPTCONN, of: descriptor) == 0,
        let process = try? Peer.credentials(of: descriptor).pid, process > 0
      else { return nil }
      return InheritedConnection(descriptor: descriptor, process: process)
    }
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}

/// Queries to the kernel's diagnostics for Unix sockets.
private enum UnixSocketTable {
  /// Returns the inode number of the socket at the other end of a connection.
  static func peer(of descriptor: Int32) -> UInt32? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return peer(ofSocket: UInt32(truncatingIfNeeded: status.st_ino))
  }

  /// Returns the inode number of the socket that is connected to another one; `nil` if there is none.
  static func peer(ofSocket inode: UInt32) -> UInt32? {
    let netlink = socket(
      AF_NETLINK, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), NETLINK_SOCK_DIAG)
    guard netlink >= 0 else { return nil }
    defer { close(netlink) }
    var query = unix_socket_query()
    query.header.nlmsg_len = UInt32(MemoryLayout<unix_socket_query>.size)
    query.header.nlmsg_type = UInt16(SOCK_DIAG_BY_FAMILY)
    query.header.nlmsg_flags = UInt16(NLM_F_REQUEST)
    query.request.sdiag_family = UInt8(AF_UNIX)
    query.request.udiag_states = .max
    query.request.udiag_ino = inode
    query.request.udiag_show = UInt32(UDIAG_SHOW_PEER)
    query.request.udiag_cookie = (.max, .max)
    let size = MemoryLayout<unix_socket_query>.size
    guard send(netlink, &query, size, 0) == size else { return nil }
    var answer = [UInt8](repeating: 0, count: 4096)
    let count = recv(netlink, &answer, answer.count, 0)
    return count > 0 ? peer(in: answer[..<count]) : nil
  }

  /// Returns the peer's inode number from the kernel's reply, which consists of a header, a description and attributes.
  private static func peer(in answer: ArraySlice<UInt8>) -> UInt32? {
    answer.withUnsafeBytes { bytes -> UInt32? in
      let headerSize = MemoryLayout<nlmsghdr>.size
      guard bytes.count >= headerSize,
        bytes.loadUnaligned(as: nlmsghdr.self).nlmsg_type == UInt16(SOCK_DIAG_BY_FAMILY)
      else { return nil }
      var offset = headerSize + MemoryLayout<unix_diag_msg>.size
      while offset + 8 <= bytes.count {
        let attribute = bytes.loadUnaligned(fromByteOffset: offset, as: nlattr.self)
        if attribute.nla_type == UInt16(UNIX_DIAG_PEER) {
          return bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        }
        // Each attribute begins at a multiple of four bytes. The minimum of four prevents an endless loop if
        // an attribute claims a length of zero.
        offset += max(4, (Int(attribute.nla_len) + 3) & ~3)
      }
      return nil
    }
  }
}
