import Machine
import PermModel

/// Determines the program behind a peer at this moment; consulted when a request comes and again when it is answered.
package struct PeerWitness: Sendable {
  private let look: @Sendable (_ peer: Peer, _ withChain: Bool) -> SeenProgram?

  /// Makes a witness that looks in its own way.
  package init(look: @escaping @Sendable (Peer) -> SeenProgram?) {
    self.look = { peer, _ in look(peer) }
  }

  /// Makes a witness that looks at processes.
  package init(processes: any ProcessTable = LinuxProcessTable()) {
    let finder = ProgramFinder(processes: processes)
    look = { Self.program(behind: $0, withChain: $1, finder) }
  }

  /// Returns the program behind a peer; `nil` if the process is gone.
  ///
  /// - Parameter withChain: Whether all its ancestors are wanted, for a person to read.
  package func program(behind peer: Peer, withChain: Bool = true) -> SeenProgram? { look(peer, withChain) }

  /// Everything is read between two moments at which the same process was alive, so that a process which has taken over
  /// the number meanwhile is not mistaken for the peer.
  private static func program(
    behind peer: Peer, withChain: Bool, _ finder: ProgramFinder
  ) -> SeenProgram? {
    let process = ProcessHandle(peer.pid)
    guard var seen = finder.program(behind: peer.pid, withChain: withChain) else { return nil }
    if process?.hasEnded == true { return nil }
    if !peer.isHeld(by: peer.pid) {
      seen.file = nil
      seen.evidence.doubt = "process \(peer.pid) no longer holds the connection, or cannot be read"
      seen.evidence.isUnreadable = true
    }
    return seen
  }
}
