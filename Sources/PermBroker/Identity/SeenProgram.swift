import Machine
package import PermModel

/// The asking program, as far as it could be identified.
package struct SeenProgram: Hashable, Sendable {
  /// The connected process: mostly the command `permtui request`, which asks for its caller.
  package var peer: ProcessIdentity
  /// The file that counts as the program; `nil` if there is doubt.
  package var file: SeenFile?
  package var evidence: Evidence
  /// The sandbox that it runs in.
  package var sandbox: Sandbox?
  /// A number for the user and the programs that led to it.
  package var parents: UInt64 = 0

  /// Returns the program as the store knows it.
  ///
  /// - Parameter label: The name that the program calls itself; the name of its file unless given.
  package func subject(label: String?) -> Subject {
    let label = label ?? evidence.program.lastPathPart
    guard let file else {
      let fileless = FilelessProgram(process: evidence.process, parents: parents)
      return Subject(label: label, file: nil, fileless: fileless, sandbox: sandbox)
    }
    return Subject(
      label: label, path: file.path, file: file.isProtected && sandbox == nil ? nil : file.identity,
      sandbox: sandbox)
  }

  /// Whether this is still the same asking program: the same processes, the same files, the same surroundings.
  package func isSame(as other: SeenProgram) -> Bool {
    peer == other.peer && file == other.file && evidence.process == other.evidence.process
      && sandbox == other.sandbox
  }
}

/// Determines the program behind a peer at this moment; consulted when a request comes and again when it is answered.
struct PeerWitness: Sendable {
  let look: @Sendable (_ peer: Peer, _ withChain: Bool) -> SeenProgram?
}

extension PeerWitness {
  /// Makes a witness that looks at the processes of this machine.
  init() {
    let finder = ProgramFinder(processes: LinuxProcessTable())
    look = { Self.program(behind: $0, withChain: $1, finder) }
  }

  /// Returns the program behind a peer; `nil` if the process is gone.
  ///
  /// - Parameter withChain: Whether all its ancestors are wanted, for a person to read.
  func program(behind peer: Peer, withChain: Bool = true) -> SeenProgram? { look(peer, withChain) }

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
