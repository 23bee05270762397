import Machine
package import PermModel

/// The asking program, as far as it could be identified.
package struct IdentifiedProgram: Hashable, Sendable {
  /// The connected process. This is usually the command `permtui request`, which asks on behalf of its caller.
  package var peer: ProcessIdentity
  /// The file that identifies the program; `nil` if it cannot be determined with certainty.
  package var file: SeenFile?
  /// The address of the script, if it was fetched from one instead of being in a file.
  package var address: String?
  package var evidence: Evidence
  /// The sandbox that the program runs in; `nil` if it runs in none.
  package var sandbox: Sandbox?
  /// A hash of the program's user and of the chain of programs that started it.
  package var parents: UInt64 = 0

  /// Returns the subject under which the store records the program.
  ///
  /// - Parameter label: The name that the program gives itself; by default the name of its file.
  package func subject(label: String?) -> Subject {
    if let address { return Subject(label: label ?? address, path: address, file: nil, sandbox: sandbox) }
    let label = label ?? evidence.program.lastPathPart
    guard let file else {
      let fileless = FilelessProgram(process: evidence.process, parents: parents)
      return Subject(label: label, file: nil, fileless: fileless, sandbox: sandbox)
    }
    return Subject(
      label: label, path: file.path, file: file.isProtected && sandbox == nil ? nil : file.identity,
      sandbox: sandbox)
  }

  /// Whether both values describe the same asking program: the same processes, file and sandbox.
  package func isSame(as other: IdentifiedProgram) -> Bool { peer == other.peer && isSameAsker(as: other) }

  /// Whether both values describe the same process of the same program. An agent, for example, can be connected through
  /// different helper processes.
  func isSameAsker(as other: IdentifiedProgram) -> Bool {
    file == other.file && address == other.address && evidence.process == other.evidence.process
      && sandbox == other.sandbox
  }
}

/// A witness that determines which program is behind a peer at the moment. It is consulted when a request arrives, and
/// again when the request is answered.
struct PeerWitness: Sendable {
  let look: @Sendable (_ peer: Peer, _ withChain: Bool) -> IdentifiedProgram?
  /// Returns the names of the programs that started a process, and of its own; `nil` if it is gone.
  var chain: @Sendable (ProcessIdentity) -> [String]? = { _ in nil }
}

extension PeerWitness {
  /// Creates a witness that inspects the processes of this machine.
  init() {
    let finder = ProgramFinder(processes: LinuxProcessTable())
    let users = KeyUserFinder(finder)
    look = { Self.program(behind: $0, withChain: $1, finder, users) }
    chain = { finder.chain(of: $0) }
  }

  /// Returns the program behind a peer; `nil` if the process is gone.
  ///
  /// - Parameter withChain: Whether to inspect all ancestors, so that a person can be shown the whole chain.
  func program(behind peer: Peer, withChain: Bool = true) -> IdentifiedProgram? { look(peer, withChain) }

  /// Returns the program behind a peer; `nil` if the peer ended during the inspection. A process that has reused the
  /// peer's id is thus never mistaken for the peer.
  private static func program(
    behind peer: Peer, withChain: Bool, _ finder: ProgramFinder, _ users: KeyUserFinder
  ) -> IdentifiedProgram? {
    let process = ProcessHandle(peer.pid)
    guard
      var seen = users.program(behind: peer) ?? finder.program(behind: peer.pid, withChain: withChain)
    else { return nil }
    if process?.hasEnded == true { return nil }
    if !peer.isHeld(by: peer.pid) {
      // A program without a file is distinguished by its ancestors.
      if !withChain, let whole = finder.program(behind: peer.pid) { seen = whole }
      seen.file = nil
      seen.evidence.doubt = "process \(peer.pid) no longer holds the connection, or cannot be read"
      seen.evidence.isUnreadable = true
    }
    return seen
  }
}
