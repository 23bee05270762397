import Machine
package import PermModel

extension ProcessFamily {
  /// Determines the family of a process from small files in `/proc`. The kernel itself provides their contents, so no
  /// process can make the reader wait. A program that copies itself, forks, opens terminals or hands its work to orphaned
  /// processes stays in its family.
  package init(of process: Int32) {
    guard var stat = ProcessStat(of: process) else {
      self = .unknown
      return
    }
    guard var terminal = stat.terminal else {
      let groups = try? Files.bytes(ofProcess: "/proc/\(process)/cgroup", limit: 4096)
      self = groups.map { .controlGroup(String(decoding: $0, as: UTF8.self)) } ?? .unknown
      return
    }
    // A terminal that was opened from within another terminal belongs to that one.
    for _ in 0..<Self.deepestTerminals {
      guard let leader = ProcessStat(of: stat.session), let opener = ProcessStat(of: leader.parent),
        let outer = opener.terminal, outer != terminal
      else { break }
      (stat, terminal) = (opener, outer)
    }
    self = .terminal(terminal, leader: stat.session)
  }

  /// The number of terminals, each opened from within the one before, that are followed.
  private static let deepestTerminals = 16
}

extension CostAccount {
  /// Creates the account for a process's requests. All unidentifiable programs of the same user and family share one
  /// account.
  ///
  /// - Parameter folder: The folder to which an agent's decisions apply. Each of its folders has limits of its own.
  init(_ seen: IdentifiedProgram, at peer: Peer, in folder: ProgramFolder? = nil) {
    guard let file = seen.file else {
      self.init(.doubtful(user: peer.user, peer.family), in: peer.family)
      return
    }
    let asker = ProgramKey.file(file.identity, isSandboxed: seen.evidence.isSandboxed)
    self.init(folder.map { .agent(asker, in: $0) } ?? asker, in: peer.family)
  }
}
