package import PermModel

extension Family {
  /// Reads the family of a process: two small files of `/proc` that the kernel fills in by itself, so no process can make
  /// the reader wait. A program that copies itself, forks or hands its work to orphans stays in its family.
  package init(of process: Int32) {
    guard let stat = readBytes("/proc/\(process)/stat", atMost: 4096).flatMap(ProcessStat.init) else {
      self = .unknown
      return
    }
    if let terminal = stat.terminal {
      self = .terminal(terminal, leader: stat.session)
    } else {
      let groups = readBytes("/proc/\(process)/cgroup", atMost: 4096)
      self = groups.map { .controlGroup(String(decoding: $0, as: UTF8.self)) } ?? .unknown
    }
  }
}

/// The program and the family that the cost of a connection or a request is counted for.
package struct Payer: Hashable, Sendable {
  package var program: Asker
  package var family: Family

  package init(_ program: Asker, in family: Family) {
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
