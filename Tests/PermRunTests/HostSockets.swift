import Foundation
import Synchronization
import Waiting

/// Sockets of the machine at which a test listens. It sends back what it is sent.
final class HostSockets: Sendable {
  let port: UInt16
  let path: String
  private let sockets: [Int32]
  private let paths: [String]
  private let accepted = Accepted()

  /// The number of connections that were accepted.
  private final class Accepted: Sendable {
    let count = Mutex(0)
  }

  /// - Parameter other: A path at which it listens, too.
  init(alsoAt other: String? = nil) throws {
    let (network, port) = try Self.listen()
    self.port = port
    path = "/opt/permtui-test-\(getpid())-\(port)"
    paths = [path, other].compactMap(\.self)
    sockets = [network] + paths.map(Self.listen)
    for socket in sockets { Thread.detachNewThread { [accepted] in Self.serve(socket, accepted) } }
  }

  deinit {
    // A thread that waits for connections keeps the socket alive until it is shut down.
    for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    for path in paths { unlink(path) }
  }

  /// The number of connections that were made.
  var connections: Int { accepted.count.withLock { $0 } }

  static func listen() throws -> (socket: Int32, port: UInt16) {
    let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(network, $0, length) == 0 && Glibc.listen(network, 64) == 0
          && getsockname(network, $0, &length) == 0
      }
    }
    guard isBound else { throw OrdinaryUser.Missing("cannot listen") }
    return (network, UInt16(bigEndian: address.sin_port))
  }

  private static func listen(at path: String) -> Int32 {
    let local = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(local, $0, size) }
    }
    Glibc.listen(local, 64)
    chmod(path, 0o777)
    return local
  }

  private static func serve(_ socket: Int32, _ accepted: Accepted) {
    while true {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else { break }
      accepted.count.withLock { $0 += 1 }
      Thread.detachNewThread { echo(connection) }
    }
    close(socket)
  }

  private static func echo(_ connection: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &bytes, bytes.count, 0)
      guard count > 0, send(connection, bytes, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    close(connection)
  }
}

extension HostSockets {
  /// A port at which nobody listens.
  static func unusedPort() throws -> UInt16 {
    let (socket, port) = try listen()
    close(socket)
    return port
  }
}
