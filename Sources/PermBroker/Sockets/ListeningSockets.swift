import Glibc
import Machine

/// A broker's two sockets, bound and listening, with the right to be the store's only broker.
package final class ListeningSockets: Sendable {
  /// The address where clients find the sockets; `nil` if systemd made them.
  package let address: BrokerAddress?
  /// The descriptors. The server that uses them closes them.
  package let descriptors: [BrokerSocket: Int32]
  private let lock: FileLock
  /// The socket files that this broker created and later removes.
  private let files: [String: UInt64]

  /// The number of connections that may wait to be accepted.
  private static let backlog: Int32 = 512

  /// Becomes the broker of a store: takes the lock, then the sockets that systemd hands over, or else binds new ones.
  ///
  /// - Parameters:
  ///   - lock: The lock's path, which belongs to the store regardless of the sockets' folder.
  ///   - candidates: Folders for the sockets, the best first.
  /// - Throws: ``BrokerSocketError``; ``BrokerSocketError/inUse(lock:)`` if there is a broker already.
  package init(lock path: String, candidates: [BrokerAddress]) throws(BrokerSocketError) {
    do throws(SystemError) {
      lock = try FileLock(path, .alone)
    } catch {
      throw error.isHeldByOthers ? .inUse(lock: path) : .system(error.attempting("lock \(path)"))
    }
    if let activated = ActivatedSockets.take() {
      address = nil
      descriptors = activated
      files = [:]
      return
    }
    guard let best = candidates.first else { throw .pathTooLong(store: path) }
    try SocketFolder.prepare(best.folder)
    var descriptors: [BrokerSocket: Int32] = [:]
    var files: [String: UInt64] = [:]
    do throws(SystemError) {
      for socket in BrokerSocket.allCases {
        let path = best.path(of: socket)
        descriptors[socket] = try Self.listen(at: path)
        files[path] = FileStatus(path)?.inode
      }
    } catch {
      descriptors.values.forEach { close($0) }
      throw .system(error)
    }
    address = best
    self.descriptors = descriptors
    self.files = files
  }

  /// Binds a socket in place of one that an earlier broker left behind: the lock proves that no broker is alive.
  private static func listen(at path: String) throws(SystemError) -> Int32 {
    if unlink(path) != 0, errno != ENOENT { throw SystemError("remove the old socket \(path)") }
    let descriptor = try UnixSocket.make()
    do throws(SystemError) {
      try UnixSocket.bind(descriptor, to: path)
      guard Glibc.listen(descriptor, backlog) == 0 else { throw SystemError("listen at \(path)") }
      // Nobody else could reach it before, because only the owner can enter the folder. Since it comes last, the change
      // also notifies watchers of the folder that the broker is listening.
      guard chmod(path, 0o600) == 0 else { throw SystemError("set the mode of \(path)") }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Removes the socket files, unless somebody put others in their place.
  package func removeFiles() {
    for (path, inode) in files {
      let status = FileStatus(path)
      if status?.kind == .socket, status?.inode == inode { unlink(path) }
    }
  }
}
