import CLinux
import Glibc

/// The kernel's facts about Unix sockets and their connections.
package enum UnixSockets {
  /// Makes two sockets that are connected to each other; `nil` if that fails. Unlike a pipe, they can be made from Swift so
  /// that no child process inherits them, even one that another thread is just starting.
  package static func pair() -> (own: Int32, other: Int32)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Asks the kernel which process was at the other end of a connection when it was made.
  ///
  /// - Returns: The id of that process, and the id of its user.
  /// - Throws: ``SystemError`` if the descriptor is not a connected Unix socket.
  package static func credentials(of descriptor: Int32) throws(SystemError) -> (pid: Int32, user: UInt32) {
    var credentials = peer_credentials()
    var size = socklen_t(MemoryLayout<peer_credentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw SystemError("ask who is connected")
    }
    return (credentials.pid, credentials.uid)
  }

  /// Returns the inode number of the socket at the other end of a connection; `nil` if the kernel does not report it.
  package static func peer(of descriptor: Int32) -> UInt32? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return entry(of: UInt32(truncatingIfNeeded: status.st_ino))?.peer
  }

  /// Returns the connections that a process has inherited from a server, together with the server's listening socket:
  /// their descriptors, and the inode numbers of the sockets at their other ends. An accepted connection has the name
  /// of the listening socket, so other sockets, which a server inherits by accident, are not among them.
  package static func acceptedConnections(of process: Int32) -> [Int32: UInt32] {
    let folder = "/proc/\(process)/fd"
    var sockets: [Int32: Entry] = [:]
    for descriptor in Folder.names(in: folder).compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
      sockets[descriptor] = socket(at: "\(folder)/\(descriptor)").flatMap(entry(of:))
    }
    let servers = Set(sockets.values.filter(\.isListening).map(\.name))
    return sockets.compactMapValues { servers.contains($0.name) && !$0.name.isEmpty ? $0.peer : nil }
  }

  /// Whether a process holds the socket with this inode number.
  package static func isHeld(_ socket: UInt32, by process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    return Folder.names(in: folder).contains { Self.socket(at: "\(folder)/\($0)") == socket }
  }

  /// Returns the inode numbers of the sockets that a process holds, in the order of their descriptors; `nil` if the kernel
  /// hides its descriptors.
  package static func held(by process: Int32) -> [UInt32]? {
    let folder = "/proc/\(process)/fd"
    let descriptors = Folder.names(in: folder).compactMap { Int32($0) }.sorted()
    // Each program of a session has standard streams.
    guard !descriptors.isEmpty else { return nil }
    return descriptors.compactMap { socket(at: "\(folder)/\($0)") }
  }

  /// Returns the inode number of the socket to which a link leads; `nil` if it leads to something else.
  private static func socket(at link: String) -> UInt32? {
    guard let target = Paths.target(ofLink: link), target.hasPrefix("socket:[") else { return nil }
    return UInt32(target.dropFirst("socket:[".count).dropLast())
  }
}

/// A connection that this process has inherited from the program that started it.
package struct InheritedConnection: Hashable, Sendable {
  package var descriptor: Int32
  /// The process that made the connection.
  package var process: Int32

  /// Returns the connections that this process has inherited from a server, as ssh's agent leaves them open.
  package static func all() -> [InheritedConnection] {
    UnixSockets.acceptedConnections(of: ProcessHandle.own).keys.sorted().compactMap { descriptor in
      guard let process = try? UnixSockets.credentials(of: descriptor).pid, process > 0 else { return nil }
      return InheritedConnection(descriptor: descriptor, process: process)
    }
  }
}

// MARK: - The kernel's diagnostics

extension UnixSockets {
  fileprivate struct Entry: Hashable {
    var isListening: Bool
    /// The name to which the socket is bound; empty if it has none.
    var name: [UInt8] = []
    /// The inode number of the socket at the other end.
    var peer: UInt32?
  }

  /// Returns what the kernel knows about the socket with an inode number; `nil` if it is not a Unix socket.
  private static func entry(of inode: UInt32) -> Entry? {
    let netlink = Glibc.socket(
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
    query.request.udiag_show = UInt32(UDIAG_SHOW_PEER | UDIAG_SHOW_NAME)
    query.request.udiag_cookie = (.max, .max)
    let size = MemoryLayout<unix_socket_query>.size
    guard send(netlink, &query, size, 0) == size else { return nil }
    var answer = [UInt8](repeating: 0, count: 4096)
    let count = recv(netlink, &answer, answer.count, 0)
    return count > 0 ? entry(in: answer[..<count]) : nil
  }

  /// The state of a listening socket. The kernel's `net/tcp_states.h` defines it for all kinds of sockets.
  private static let listening: UInt8 = 10

  /// Reads the kernel's reply, which consists of a header, a description and attributes.
  private static func entry(in answer: ArraySlice<UInt8>) -> Entry? {
    answer.withUnsafeBytes { bytes -> Entry? in
      let (headerSize, size) = (MemoryLayout<nlmsghdr>.size, MemoryLayout<unix_diag_msg>.size)
      guard bytes.count >= headerSize + size,
        bytes.loadUnaligned(as: nlmsghdr.self).nlmsg_type == UInt16(SOCK_DIAG_BY_FAMILY)
      else { return nil }
      let state = bytes.loadUnaligned(fromByteOffset: headerSize, as: unix_diag_msg.self).udiag_state
      var entry = Entry(isListening: state == listening)
      var offset = headerSize + size
      while offset + 4 <= bytes.count {
        let attribute = bytes.loadUnaligned(fromByteOffset: offset, as: nlattr.self)
        let length = Int(attribute.nla_len)
        guard length >= 4, offset + length <= bytes.count else { break }
        entry.add(
          attribute.nla_type, UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + length)]))
        // Each attribute begins at a multiple of four bytes.
        offset += (length + 3) & ~3
      }
      return entry
    }
  }
}

extension UnixSockets.Entry {
  fileprivate mutating func add(_ type: UInt16, _ value: UnsafeRawBufferPointer) {
    switch Int(type) {
    case Int(UNIX_DIAG_NAME): name = Array(value)
    case Int(UNIX_DIAG_PEER) where value.count >= 4: peer = value.loadUnaligned(as: UInt32.self)
    default: break
    }
  }
}
