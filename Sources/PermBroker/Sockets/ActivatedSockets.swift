import Glibc
import Machine

/// Sockets that systemd listens on and hands over to this process.
enum ActivatedSockets {
  /// The first descriptor that systemd hands over.
  private static let first: Int32 = 3

  /// Takes over the sockets from systemd, and removes the environment variables that announce them. Otherwise
  /// a child process could mistake the sockets for its own.
  ///
  /// A socket is identified by the name that its systemd unit sets, for example `FileDescriptorName=ask`, or
  /// else by the last part of its path.
  ///
  /// - Returns: The descriptors of the sockets; `nil` unless `ask` and `control` are among them. Units of earlier versions
  ///   have no socket `deno`.
  static func take() -> [BrokerSocket: Int32]? {
    defer { Environment.remove("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES") }
    guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), (1...64).contains(count) else {
      return nil
    }
    let names =
      Environment.variable("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    var sockets: [BrokerSocket: Int32] = [:]
    for place in 0..<Int(count) {
      let descriptor = first + Int32(place)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let name = names.indices.contains(place) ? String(names[place]) : ""
      let socket = BrokerSocket(rawValue: name) ?? pathName(of: descriptor).flatMap(BrokerSocket.init)
      if let socket { sockets[socket] = descriptor }
    }
    return sockets[.ask] != nil && sockets[.control] != nil ? sockets : nil
  }

  private static func number(_ name: String) -> Int32? {
    Environment.variable(name).flatMap { Int32($0) }
  }

  /// Returns the last part of the path to which a socket is bound.
  private static func pathName(of descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let path = withUnsafeBytes(of: &address.sun_path) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return path.lastPathPart
  }
}
