import Glibc
import Machine

/// Functions that make the system calls for Unix sockets, and that handle paths and errors.
enum UnixSocket {
  /// The maximum time to wait for a place in a listener's queue of unaccepted connections.
  static let patience = Duration.seconds(5)

  /// Creates a socket that child processes do not inherit.
  static func make() throws(SystemError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError("make a socket") }
    return descriptor
  }

  static func bind(_ descriptor: Int32, to path: String) throws(SystemError) {
    let result = try withAddress(of: path) { Glibc.bind(descriptor, $0, $1) }
    guard result == 0 else { throw SystemError("listen at \(path)") }
  }

  /// Connects to a socket. Returns the connection, and the user whose process is listening. If the listener's queue of
  /// connections stays full, throws an error with the code `EAGAIN`.
  private static func connect(
    to path: String, patience: Duration
  ) throws(SystemError) -> (descriptor: Int32, user: UInt32) {
    let descriptor = try make()
    do throws(SystemError) {
      limitSending(of: descriptor, to: patience)
      var result: Int32
      repeat {
        result = try withAddress(of: path) { Glibc.connect(descriptor, $0, $1) }
      } while result != 0 && errno == EINTR
      guard result == 0 else { throw SystemError("connect to \(path)") }
      limitSending(of: descriptor, to: .zero)
      return (descriptor, try UnixSockets.credentials(of: descriptor).user)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Limits the time that connecting and sending can take. Zero means no limit.
  private static func limitSending(of descriptor: Int32, to duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
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

  // MARK: Brokers

  /// Connects to a broker's socket, if the process that listens there belongs to this user or to root.
  static func connectToOwn(
    _ socket: BrokerSocket, at address: BrokerAddress, patience: Duration = patience
  ) throws(BrokerSocketError) -> Int32 {
    let path = address.path(of: socket)
    let connection: (descriptor: Int32, user: UInt32)
    do throws(SystemError) {
      connection = try connect(to: path, patience: patience)
    } catch {
      switch error.code {
      case ECONNREFUSED, ENOENT, ENOTDIR: throw .nobodyListens
      case EAGAIN: throw .doesNotAnswer(path)
      default: throw .system("\(error)")
      }
    }
    guard connection.user == geteuid() || connection.user == 0 else {
      close(connection.descriptor)
      throw .foreignOwner(path, user: connection.user)
    }
    return connection.descriptor
  }

  /// Connects to the first of several addresses where a broker listens.
  ///
  /// - Throws: ``BrokerSocketError/nobodyListens`` if no broker listens at any of the addresses; otherwise
  ///   the error of the first socket that could not be used.
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

  /// Whether a broker listens at one of the addresses.
  static func isListening(_ socket: BrokerSocket, among addresses: [BrokerAddress]) -> Bool {
    guard let connection = try? connectToOwn(socket, among: addresses) else { return false }
    close(connection)
    return true
  }
}

/// A connection to a broker for bytes that somebody else writes and reads. It is closed with this object.
package final class RelayedConnection: Sendable {
  package let descriptor: Int32

  /// Connects to the first of several addresses where a broker listens.
  init(to socket: BrokerSocket, among addresses: [BrokerAddress]) throws(BrokerSocketError) {
    descriptor = try UnixSocket.connectToOwn(socket, among: addresses)
  }

  deinit { close(descriptor) }
}
