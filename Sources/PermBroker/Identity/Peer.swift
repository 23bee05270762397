package import Machine
package import PermModel

/// The process at the other end of a connected Unix socket, as reported by the kernel.
package struct Peer: Hashable, Sendable {
  package var pid: Int32
  package var user: UInt32
  /// The inode number of the peer's socket; `nil` if the kernel does not report it.
  package var socket: UInt32?
  /// The family that the process was in when it connected.
  package var family = ProcessFamily.unknown
  /// The processes that, according to the peer, are at the other ends of its inherited connections. One of them uses a
  /// key. The list is only a claim, which ``KeyUserFinder`` checks.
  package var keyUsers: [Int32] = []
}

extension Peer {
  /// Asks the kernel which process was at the other end when the connection was made.
  ///
  /// - Throws: ``SystemError`` if the descriptor is not a connected Unix socket.
  package init(of descriptor: Int32) throws(SystemError) {
    let (pid, user) = try UnixSockets.credentials(of: descriptor)
    self.init(
      pid: pid, user: user, socket: UnixSockets.peer(of: descriptor), family: ProcessFamily(of: pid))
  }

  /// Returns the inode numbers of the sockets at the other ends of the connections that the peer has inherited from a
  /// server.
  func inheritedConnections() -> Set<UInt32> { Set(UnixSockets.acceptedConnections(of: pid).values) }

  /// Whether the process with this id still holds the other end of the connection. The process that connected might
  /// have passed the socket on and ended, and its id might have been reused.
  ///
  /// If the kernel did not report the peer's socket, nothing can be compared, and the result is `true`.
  func isHeld(by pid: Int32) -> Bool {
    socket.map { UnixSockets.isHeld($0, by: pid) } ?? true
  }
}
