import Machine
import PermModel

/// Inspects the process that is calling at the socket `control`.
struct ControlWitness: Sendable {
  let look: @Sendable (Peer) -> ControlCaller

  init(look: @escaping @Sendable (Peer) -> ControlCaller) {
    self.look = look
  }

  /// A witness that inspects the processes of this machine.
  init() {
    look = { peer in
      ControlCaller(
        lineage: Self.lineage(of: peer.pid), foreign: Namespace.foreign(of: peer.pid),
        isHeld: !Namespace.canRead(peer.pid) || peer.isHeld(by: peer.pid))
    }
  }

  private static let longestLineage = 256

  /// Returns the process and its ancestors. A parent that started later than its child is another process that reuses
  /// the number.
  private static func lineage(of process: Int32) -> [ControlCaller.Member] {
    var lineage: [ControlCaller.Member] = []
    var next = process
    while next > 0, lineage.count < longestLineage, let stat = stat(of: next),
      stat.startTime <= lineage.last?.identity.startTime ?? .max
    {
      lineage.append(
        .init(
          ProcessIdentity(pid: next, startTime: stat.startTime),
          isPersonsShell: stat.terminal != nil && stat.session == next && isInteractiveShell(next)))
      next = stat.parent
    }
    return lineage
  }

  private static func stat(of process: Int32) -> ProcessStat? {
    ProcessStat(of: process)
  }

  private static func isInteractiveShell(_ process: Int32) -> Bool {
    guard let snapshot = LinuxProcessTable().process(process),
      let interpreter = snapshot.executable.flatMap({ Interpreter.named($0.name) })
    else { return false }
    return interpreter.isShell && [.nothing, .input].contains(interpreter.input(of: snapshot.arguments))
  }
}
