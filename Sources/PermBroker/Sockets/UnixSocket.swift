import Glibc
import Machine

/// Calls on Unix sockets, with their paths and errors.
enum UnixSocket {
  /// Creates a socket that no child inherits.
  static func make() throws(SystemError) -> Int32 {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError("make a socket") }
    return descriptor
  }

  static func bind(_ descriptor: Int32, to path: String) throws(SystemError) {
    let result = try withAddress(of: path) { Glibc.bind(descriptor, $0, $1) }
    guard result == 0 else { throw SystemError("listen at \(path)") }
  }

  static func connect(_ descriptor: Int32, to path: String) throws(SystemError) {
    var result: Int32
    repeat {
      result = try withAddress(of: path) { Glibc.connect(descriptor, $0, $1) }
    } while result != 0 && errno == EINTR
    guard result == 0 else { throw SystemError("connect to \(path)") }
  }

  private static func withAddress<Result>(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws(SystemError) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { target in
      guard bytes.count < target.count else { return false }
      target.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw SystemError("use \(path) as a socket", code: ENAMETOOLONG) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

extension UnixSocket {
  /// Connects to a broker's socket, if it belongs to this user and a process of this user listens.
  static func connectToOwn(_ socket: BrokerSocket, at address: BrokerAddress) throws(BrokerSocketError)
    -> Int32
  {
    let path = address.path(of: socket)
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .nobodyListens : .system(SystemError("look at \(path)"))
    }
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try make()
    } catch {
      throw .system(error)
    }
    let user: UInt32
    do throws(SystemError) {
      try connect(descriptor, to: path)
      user = try Peer.user(of: descriptor)
    } catch {
      close(descriptor)
      throw error.code == ECONNREFUSED || error.code == ENOENT ? .nobodyListens : .system(error)
    }
    guard user == geteuid() || user == 0 else {
      close(descriptor)
      throw .foreignOwner(path, user: user)
    }
    return descriptor
  }

  /// Connects to the first of several addresses where a broker listens.
  ///
  /// - Throws: ``BrokerSocketError/nobodyListens`` if none does; otherwise the error of the first socket that could not
  ///   be used.
  static func connectToOwn(
    _ socket: BrokerSocket, among addresses: [BrokerAddress]
  ) throws(BrokerSocketError) -> Int32 {
    var problem = BrokerSocketError.nobodyListens
    for address in addresses {
      do throws(BrokerSocketError) {
        return try connectToOwn(socket, at: address)
      } catch {
        if problem == .nobodyListens { problem = error }
      }
    }
    throw problem
  }
}
