import Machine
import PermModel

/// A login over ssh: the server's process for it, and what the kernel tells about its connection.
///
/// An agent can log in to its own machine, and what it runs there is not among its descendants. The kernel tells whether
/// the other end of the login's connection is on this machine.
struct SSHLogin {
  /// The kernel's names of the processes of servers.
  static let servers: Set<String> = ["sshd", "sshd-session", "dropbear"]

  /// The server's process for this login.
  private let server: Int32
  /// The outermost process that the server started; `nil` if the server itself is the caller, as it is where it forwards
  /// a socket.
  private let outermost: Int32?
  /// The user whose program could be at the other end.
  private let user: UInt32

  /// Creates the login to which a process belongs; `nil` if it belongs to none.
  init?(_ caller: ControlCaller) {
    guard let place = caller.lineage.firstIndex(where: \.isSSHServer) else { return nil }
    server = caller.lineage[place].identity.pid
    outermost = place > 0 ? caller.lineage[place - 1].identity.pid : nil
    user = caller.lineage.first.flatMap { ProcessUser.effective(of: $0.identity.pid) } ?? 0
  }

  /// Whether the login was made from this machine, or could have been.
  var isFromHere: Bool {
    guard let connections = TCPConnections.now() else { return true }
    if let held = UnixSockets.held(by: server) { return connections.isFromHere(holding: held) }
    let variables = outermost.flatMap { Environment.variables(of: $0) } ?? [:]
    return connections.isFromHere(claimed: variables["SSH_CONNECTION"], user: user)
  }
}

extension TCPConnections {
  /// Whether a login is from here whose server holds these sockets, in the order of their descriptors. The first of them
  /// is the login's own; others are of ports that it forwards.
  func isFromHere(holding sockets: [UInt32]) -> Bool {
    let held = sockets.lazy.compactMap { socket in all.first { $0.socket == socket } }
    return held.first.map { isFromHere($0) } ?? true
  }

  /// Whether a login could be from here whose server is hidden, as the kernel hides it from all but root.
  ///
  /// Only the login's own process then tells which connection it uses, and it may lie. It must at least name a connection
  /// of root's that exists, and its user must have no connection from this machine to that port.
  func isFromHere(claimed text: String?, user: UInt32) -> Bool {
    let words = text?.split(separator: " ") ?? []
    guard words.count == 4, let client = End(words[0], port: words[1]),
      let server = End(words[2], port: words[3]),
      let claimed = all.first(where: { $0.local == server && $0.remote == client && $0.user == 0 }),
      !isFromHere(claimed)
    else { return true }
    return all.contains { other in
      other.user == 0 && other.local.port == server.port && isFromHere(other)
        && (counterpart(of: other)?.user ?? user) == user
    }
  }
}
