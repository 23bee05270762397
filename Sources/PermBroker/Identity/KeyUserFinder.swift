import Machine
import PermModel

/// A search for the program that uses a key, among the clients of the ssh agent that asks.
///
/// An agent asks by starting `permtui askpass`, and leaves its clients' connections open in that process. The process
/// names the processes at their other ends. Nothing that it says is trusted: the broker counts the connections itself,
/// and asks the kernel which processes hold the other ends. A program that starts `permtui askpass` with a connection
/// that another program has made to it could still ask in that program's name. Therefore the program counts as
/// identified only if an ssh agent started `permtui askpass`.
struct KeyUserFinder: Sendable {
  /// The maximum number of processes that can be named.
  static let most = 64

  private let finder: ProgramFinder

  init(_ finder: ProgramFinder) { self.finder = finder }

  /// Returns the program that uses the key. Returns `nil` if the peer names no process, has inherited no connection, is
  /// not `permtui`, or runs in a sandbox. The peer then asks as any program does.
  func program(behind peer: Peer) -> IdentifiedProgram? {
    guard !peer.keyUsers.isEmpty, Namespace.foreign(of: peer.pid) == nil,
      let helper = finder.processes.process(peer.pid), helper.isClient
    else { return nil }
    let connections = peer.inheritedConnections()
    guard !connections.isEmpty else { return nil }
    let users = Set(peer.keyUsers)
    let holders = connections.map { socket in users.first { UnixSockets.isHeld(socket, by: $0) } }
    guard let user = holders.compactMap(\.self).min(), var seen = finder.program(runBy: user) else {
      return nil
    }
    seen.peer = helper.identity
    if Set(holders).count > 1 {
      seen.setUnidentified(
        "\(names(of: holders)) are connected to the agent, and it is not known which of them uses the key")
      seen.evidence.isUnreadable = true
    } else if !isAgent(helper.parent) {
      seen.setUnidentified("it is not known whether an ssh agent asks for it")
    }
    return seen
  }

  private func names(of holders: [Int32?]) -> String {
    let known = Set(holders.compactMap(\.self)).sorted().map { pid in
      "\(finder.processes.process(pid)?.displayName ?? "a program") (\(pid))"
    }
    let unknown = holders.contains(nil) ? ["a program that cannot be read"] : []
    return (known + unknown).joined(separator: ", ")
  }

  // MARK: The agent

  private static let agentName = "ssh-agent"
  private static let agentFile = "/usr/bin/ssh-agent"

  /// Whether a process is an ssh agent that root installed.
  private func isAgent(_ pid: Int32) -> Bool {
    guard let process = finder.processes.process(pid) else { return false }
    guard process.executable != nil else { return isHiddenAgent(process) }
    return process.isRootsProgram && process.displayName == Self.agentName
  }

  /// Whether a process whose file is hidden by the kernel has the group that the ssh agent's file sets. On
  /// Debian the agent has a group of its own, which the process keeps and no other program can obtain.
  private func isHiddenAgent(_ process: ProcessSnapshot) -> Bool {
    guard process.name == Self.agentName, let file = FileStatus(Self.agentFile), file.isSetGroup,
      ProtectedFile.isProtected(Self.agentFile), let groups = ProcessGroups(of: process.pid)
    else { return false }
    return groups.saved == file.group && groups.saved != groups.real
  }
}

extension IdentifiedProgram {
  fileprivate mutating func setUnidentified(_ doubt: String) {
    file = nil
    evidence.doubt = doubt
  }
}
