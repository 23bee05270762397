import Machine
import PermModel

/// Looks at the process that calls at `control`, now.
struct ControlWitness: Sendable {
  let look: @Sendable (Peer) -> ControlCaller

  /// A witness that looks in its own way.
  init(look: @escaping @Sendable (Peer) -> ControlCaller) {
    self.look = look
  }

  /// A witness that looks at the processes of this machine.
  init() {
    look = { peer in
      ControlCaller(
        lineage: Self.lineage(of: peer.pid), foreign: Namespace.foreign(of: peer.pid),
        isHeld: !Namespace.canRead(peer.pid) || peer.isHeld(by: peer.pid))
    }
  }

  private static let longestLineage = 256

  /// The process and its ancestors. A parent that started later is another process under the old number.
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
