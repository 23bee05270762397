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
