import Machine
import PermModel

/// The processes that belong together whatever files they run: those of one terminal, or else of one control group.
///
/// A program that copies itself, forks or hands its work to orphans stays in its family. Reading it takes two small
/// files of `/proc` that the kernel fills in by itself, so no process can make the reader wait.
package enum Family: Hashable, Sendable {
  /// The session of a terminal, by the process that leads it.
  case terminal(String, leader: Int32)
  case controlGroup(String)
  case unknown

  package init(of process: Int32) {
    guard let stat = ProcessStat(of: process) else {
      self = .unknown
      return
    }
    if let terminal = stat.terminal {
      self = .terminal(terminal, leader: stat.session)
    } else {
      let groups = try? Files.bytes(of: "/proc/\(process)/cgroup", limit: 4096)
      self = groups.map { .controlGroup(String(decoding: $0, as: UTF8.self)) } ?? .unknown
    }
  }
}

/// The program and the family that the cost of a connection or a request is counted for.
package struct Payer: Hashable, Sendable {
  package var program: RequestLimits.Asker
  package var family: Family

  package init(_ program: RequestLimits.Asker, in family: Family) {
    self.program = program
    self.family = family
  }

  /// The payer for what a process asks, as far as its program can be told.
  init(_ seen: SeenProgram, at peer: Peer) {
    family = Family(of: peer.pid)
    program =
      seen.file.map { .file($0.identity, isSandboxed: seen.evidence.isSandboxed) }
      ?? .doubtful(user: peer.user, family)
  }
}
