import Glibc
import Machine

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
