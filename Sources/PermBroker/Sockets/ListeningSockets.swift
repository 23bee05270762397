import Glibc
import Machine

/// A broker's sockets, bound and listening, together with the lock that makes this process the store's only broker.
package final class ListeningSockets: Sendable {
  /// The address at which clients find the sockets; `nil` if systemd created them.
  package let address: BrokerAddress?
  /// The sockets' descriptors. The server that uses them is responsible for closing them.
  package let descriptors: [BrokerSocket: Int32]
  /// The path of the file in which a broker notes for the next one which processes have asked as agents.
  let agentRecord: String
  private let lock: FileLock
  /// The paths and inode numbers of the socket files that this broker created and will later remove.
  private let files: Lock<[String: UInt64]>

  /// The maximum number of connections that can wait to be accepted.
  private static let backlog: Int32 = 512

  /// Makes this process the broker of a store. Takes the lock, and then the sockets that systemd hands over. If systemd
  /// hands over none, binds new sockets.
  ///
  /// - Parameters:
  ///   - lock: The path of the lock. There is one lock per store, regardless of the folder that holds the sockets.
  ///   - candidates: The folders that can hold the sockets, in order of preference.
  /// - Throws: ``BrokerSocketError``, in particular ``BrokerSocketError/inUse(lock:)`` if the store already
  ///   has a broker.
  package init(lock path: String, candidates: [BrokerAddress]) throws(BrokerSocketError) {
    lock = try Self.takeLock(at: path)
    if let activated = ActivatedSockets.take() {
      address = nil
      agentRecord = path + ".agents"
      descriptors = activated
      files = Lock([:])
      return
    }
    guard let best = candidates.first else { throw .pathTooLong(store: path) }
    try SocketFolder.prepare(best.folder)
    address = best
    agentRecord = best.folder + "/agents"
    let files: [String: UInt64]
    (descriptors, files) = try Self.listen(at: best)
    self.files = Lock(files)
  }

  private static func takeLock(at path: String) throws(BrokerSocketError) -> FileLock {
    do throws(SystemError) {
      return try FileLock(path, .alone)
    } catch {
      throw error.isHeldByOthers ? .inUse(lock: path) : .system("\(error.attempting("lock \(path)"))")
    }
  }

  /// Binds all sockets. Returns their descriptors, and the paths and inode numbers of their files.
  private static func listen(
    at address: BrokerAddress
  ) throws(BrokerSocketError) -> (descriptors: [BrokerSocket: Int32], files: [String: UInt64]) {
    var descriptors: [BrokerSocket: Int32] = [:]
    var files: [String: UInt64] = [:]
    do throws(SystemError) {
      for socket in BrokerSocket.allCases {
        let path = address.path(of: socket)
        descriptors[socket] = try listen(at: path)
        files[path] = FileStatus(path)?.inode
      }
    } catch {
      descriptors.values.forEach { close($0) }
      throw .system("\(error)")
    }
    return (descriptors, files)
  }

  /// Binds a socket, replacing any that an earlier broker left behind. The lock proves that no other broker is running.
  private static func listen(at path: String) throws(SystemError) -> Int32 {
    if unlink(path) != 0, errno != ENOENT { throw SystemError("remove the old socket \(path)") }
    let descriptor = try UnixSocket.make()
    do throws(SystemError) {
      try UnixSocket.bind(descriptor, to: path)
      guard Glibc.listen(descriptor, backlog) == 0 else { throw SystemError("listen at \(path)") }
      // Until now nobody else could reach the socket, because only the owner can enter the folder. The mode is changed
      // last, because this change also tells clients that watch the folder that the broker is listening.
      guard chmod(path, 0o600) == 0 else { throw SystemError("set the mode of \(path)") }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Removes the socket files, unless somebody has replaced them.
  package func removeFiles() {
    for (path, inode) in files.withLock(\.self) where Self.isSocket(path, inode) { unlink(path) }
  }

  private static func isSocket(_ path: String, _ inode: UInt64) -> Bool {
    guard let status = FileStatus(path) else { return false }
    return status.kind == .socket && status.inode == inode
  }
}

// MARK: - Sockets that are removed

extension ListeningSockets {
  /// The paths at which clients find the sockets; empty if systemd created them, and looks after them.
  var paths: [String] { files.withLock(\.self).keys.sorted() }

  /// Whether clients find the sockets at their paths.
  var areFound: Bool { files.withLock(\.self).allSatisfy(Self.isSocket) }

  /// Binds new sockets in place of those that were removed. The last log-out of a user, for example, removes the runtime
  /// folder, with the sockets of what lives on in a terminal multiplexer.
  ///
  /// - Returns: The descriptors of the new sockets. The caller must close them.
  /// - Throws: ``BrokerSocketError`` also if the runtime folder is still missing. It is made by the system.
  func bindAgain() throws(BrokerSocketError) -> [BrokerSocket: Int32] {
    guard let address else { return [:] }
    let runtimeFolder = address.folder.folderOfPath
    guard FileStatus(runtimeFolder) != nil else { throw .system("\(SystemError("find \(runtimeFolder)"))") }
    try SocketFolder.prepare(address.folder)
    let (descriptors, files) = try Self.listen(at: address)
    self.files.withLock { $0 = files }
    return descriptors
  }
}
