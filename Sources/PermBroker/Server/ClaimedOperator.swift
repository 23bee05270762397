import Machine
import PermModel

/// The operator for whom a process of `permtui bridge` says that it acts.
///
/// The name is in the command line, which the machine's owner writes into `authorized_keys`. The broker believes it only
/// of its own program, started by root's sshd through a forced command, because others could write any name there.
enum ClaimedOperator: Hashable, Sendable {
  case proven(String)
  /// The name may be anybody's claim.
  case unproven(String)

  /// The variable in which sshd tells a forced command what the client wanted to run in its place.
  static let wanted = "SSH_ORIGINAL_COMMAND"

  /// Reads the claim of a process; `nil` if it makes none.
  ///
  /// - Parameter lineage: Returns the process and its ancestors.
  init?(of process: Int32, lineage: () -> [ControlCaller.Member]) {
    guard let line = try? Files.bytes(of: "/proc/\(process)/cmdline", limit: 65_536) else { return nil }
    let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard let name = Self.name(in: words) else { return nil }
    let isSent =
      Self.isWhole(name) && LinuxProcessTable().process(process)?.isClient == true
      && Environment.variables(of: process)?[Self.wanted] != nil && Self.isStartedByRootsServer(lineage())
    self = isSent ? .proven(name) : .unproven(name)
  }

  /// Returns the name in a command line of a bridge; `nil` if the command is another one, or names nobody. If it names
  /// several operators, returns all of them, which are no whole name.
  static func name(in words: [String]) -> String? {
    guard words.dropFirst().first == "bridge" else { return nil }
    var names: [String] = []
    for (place, word) in words.enumerated() {
      if word == "--as" { names.append(words.dropFirst(place + 1).first ?? "") }
      if word.hasPrefix("--as=") { names.append(String(word.dropFirst("--as=".count))) }
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  private static func isWhole(_ name: String) -> Bool { (try? RemoteName(name)) != nil }

  /// Whether a process was started by a server of ssh that runs as root, directly or through the user's shell.
  static func isStartedByRootsServer(
    _ lineage: [ControlCaller.Member], user: (Int32) -> UInt32? = ProcessUser.effective
  ) -> Bool {
    let above = lineage.dropFirst()
    let servers = above.first?.isSSHServer == true ? above : above.dropFirst()
    return servers.prefix(while: \.isSSHServer).contains { user($0.identity.pid) == 0 }
  }
}
