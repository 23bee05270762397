import PermModel

/// The command line that connects to the bridge of another machine.
package struct SSHCommand: Hashable, Sendable {
  /// The way in which a host key is checked.
  package enum HostKeyRule: Hashable, Sendable {
    /// Only a key that the file has is accepted.
    case pinned
    /// The first key is accepted and written to the file, which is then looked at.
    case firstContact
  }

  private let machine: ConfiguredMachine
  private let keysFile: String
  private let rule: HostKeyRule

  /// - Parameter keysFile: The absolute path of a `known_hosts` file of our own.
  /// - Throws: ``MachineFault/noSSH(_:)`` if ssh would read the path as something else.
  package init(
    _ machine: ConfiguredMachine, keysFile: String, _ rule: HostKeyRule
  ) throws(MachineFault) {
    let signs = Set("%\"\\${}".unicodeScalars)
    guard keysFile.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f && !signs.contains($0) })
    else { throw .noSSH("it cannot be given the path \(VisibleText.quoted(VisibleText.brief(keysFile)))") }
    (self.machine, self.keysFile, self.rule) = (machine, keysFile, rule)
  }

  /// The time within which ssh must have made a connection, in seconds.
  static let connectTimeout = 10

  /// The settings that replace those of the person's own configuration of ssh, because the first value of an option counts.
  private var options: [String] {
    [
      "ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no", "PermitLocalCommand=no",
      "RemoteCommand=none",
      "RequestTTY=no", "Tunnel=no", "ControlMaster=no", "ControlPath=none", "ControlPersist=no",
      "EscapeChar=none",
      "HostKeyAlias=\(HostKeys.alias(of: machine.name))", "UserKnownHostsFile=\"\(keysFile)\"",
      "GlobalKnownHostsFile=/dev/null", "CheckHostIP=no", "VerifyHostKeyDNS=no", "UpdateHostKeys=no",
      "HashKnownHosts=no", "StrictHostKeyChecking=\(rule == .pinned ? "yes" : "accept-new")", "BatchMode=yes",
      "LogLevel=ERROR", "ConnectTimeout=\(Self.connectTimeout)", "ConnectionAttempts=1",
      "ServerAliveInterval=5", "ServerAliveCountMax=2",
    ]
  }

  /// The program and its arguments. The destination cannot be read as an option, since `--` stands before it.
  package var arguments: [String] {
    ["ssh", "-T", "-a", "-x"] + options.flatMap { ["-o", $0] } + [
      "--", machine.destination.text, "permtui bridge",
    ]
  }
}
