import Foundation
import Glibc
import TerminalTesting

/// A machine that is answered for: a home whose user can be reached through a real sshd of the test's own.
///
/// The keys, the host's key and the port belong to the test. The first key is the operator's, and runs a forced command.
/// The second one is the user's own, and runs anything.
final class MachineServer: Sendable {
  let home: AskingHome
  let port: UInt16
  private let reservation: Int32
  /// It is only kept alive here, and used by nobody.
  private nonisolated(unsafe) let session: TerminalSession

  /// The reason why no server can run as root here; `nil` if it can.
  static let missing: String? = geteuid() == 0 ? nil : "only root can run a server of ssh that is trusted"

  /// - Parameters:
  ///   - bridge: The arguments of `permtui bridge` in the forced command.
  ///   - address: A second address at which the server listens.
  ///   - prefix: The beginning of the server's command line.
  init(
    _ home: AskingHome, bridge: String, address: String? = nil, through prefix: [String] = []
  ) async throws {
    self.home = home
    (reservation, port) = try LoginServer.reservePort()
    let folder = home.folder
    // sshd gives up its rights in this folder, which its service usually makes.
    if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
    for key in ["host", "operator", "own"] {
      let made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.file(key)]
      _ = try await home.run(made)
    }
    let command = Self.variables(home) + " permtui bridge \(bridge)"
    let keys = try ["operator", "own"].map {
      try String(contentsOfFile: folder.file("\($0).pub"), encoding: .utf8)
    }
    try "restrict,command=\"env \(command)\" \(keys[0])\(keys[1])".write(
      toFile: folder.file("authorized"), atomically: false, encoding: .utf8)
    try """
    Port \(port)
    ListenAddress 127.0.0.1
    \(address.map { "ListenAddress \($0)" } ?? "")
    HostKey \(folder.file("host"))
    AuthorizedKeysFile \(folder.file("authorized"))
    PidFile none
    StrictModes no
    UsePAM no
    PermitRootLogin yes

    """.write(toFile: folder.file("sshd_config"), atomically: false, encoding: .utf8)
    // A server whose messages nobody reads would stop.
    let quiet = ["bash", "-c", #""$@" 2>&1 | sed -u '/^Server listening/!d'"#, "-"]
    session = try home.terminal(
      quiet + prefix + ["/usr/sbin/sshd", "-D", "-e", "-f", folder.file("sshd_config")])
    try session.expect("Server listening on 127.0.0.1")
  }

  deinit { close(reservation) }

  /// The variables of the home, as a shell reads them.
  static func variables(_ home: AskingHome) -> String {
    home.environment.filter { !["TERM", "SWIFT_BACKTRACE"].contains($0.key) }
      .map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
  }

  /// A login's answers, and how it ended.
  struct Login {
    var replies: [String]
    var run: ProcessRun
  }

  /// Logs in with the operator's key, sends calls, and returns the replies.
  func bridge(
    _ calls: String..., wanting command: String = "permtui bridge", through prefix: [String] = [],
    at address: String = "127.0.0.1"
  ) async throws -> Login {
    try await login("operator", command, calls, through: prefix, at: address)
  }

  /// Logs in as the user, runs a command in this home, and sends calls to it.
  func own(
    _ command: String, _ calls: String..., through prefix: [String] = [], at address: String = "127.0.0.1"
  ) async throws -> Login {
    try await login(
      "own", "env \(Self.variables(home)) \(command)", calls, through: prefix, at: address)
  }

  private func login(
    _ key: String, _ command: String, _ calls: [String], through prefix: [String], at address: String
  ) async throws -> Login {
    let run = try await home.run(
      [
        "bash", "-c",
        #"n=$1; shift; calls=("${@:1:n}"); shift "$n"; printf "${calls[0]:+%s\0}" "${calls[@]}" | "$@""#, "-",
      ]
        + [String(calls.count)] + calls + prefix + client(key, at: address) + [command])
    let replies = run.output.split(separator: "\0").map(String.init)
    return Login(replies: replies, run: run)
  }

  /// The command line of a client of ssh, up to the command that it wants to run.
  func client(_ key: String, at address: String = "127.0.0.1") -> [String] {
    [
      "ssh", "-T", "-a", "-x", "-F", "/dev/null", "-p", String(port), "-i", home.folder.file(key),
      "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no",
      "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", address,
    ]
  }

  /// Ends the bridges of this home, as a lost connection does.
  func endBridges() throws {
    for bridge in try bridges() { kill(bridge, SIGKILL) }
  }

  /// Stops the processes of sshd above the bridges of this home, and returns them: both ends of a connection are still there,
  /// and nothing comes any more.
  func stopConnections() throws -> [pid_t] {
    let servers = try bridges().map { bridge in
      var process = bridge
      while process > 1, name(of: process) != "sshd" { process = parent(of: process) }
      return process
    }
    for server in servers where server > 1 { kill(server, SIGSTOP) }
    return servers.filter { $0 > 1 }
  }

  private func name(of process: pid_t) -> String {
    let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
  }

  private func parent(of process: pid_t) -> pid_t {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    return status.firstMatch(of: /PPid:\s+([0-9]+)/).flatMap { pid_t($0.1) } ?? 0
  }

  /// The processes of the bridges of this home.
  private func bridges() throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { entry -> pid_t? in
      guard let process = pid_t(entry),
        let arguments = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline"),
        let environment = FileManager.default.contents(atPath: "/proc/\(entry)/environ"),
        String(decoding: arguments, as: UTF8.self).hasPrefix("permtui\0bridge\0"),
        String(decoding: environment, as: UTF8.self).contains("HOME=\(home.folder.path)")
      else { return nil }
      return process
    }
  }

  static func call(_ method: String, _ parameters: String = "{}") -> String {
    #"{"method":"io.permtui.Broker.\#(method)","parameters":\#(parameters)}"#
  }

  static let hello = #"{"method":"io.permtui.Bridge.Hello"}"#
}

extension AskingHome {
  /// Makes the person's ssh reach a server under some names. The real ssh runs, with a configuration of the
  /// test's own, since it looks for the person's in the home folder of the user database.
  func lead(
    to server: MachineServer, as names: String = "web1 web2", at address: String = "127.0.0.1",
    port: UInt16? = nil
  ) throws {
    try """
    Host \(names)
      HostName \(address)
      Port \(port ?? server.port)
      IdentityFile \(server.home.folder.file("operator"))
      IdentitiesOnly yes
      IdentityAgent none
      ForwardAgent yes
      PermitLocalCommand yes
      LocalCommand touch \(folder.file("obeyed"))
      RemoteCommand touch \(folder.file("obeyed"))
      ControlMaster auto
      ControlPath \(folder.file("shared-%C"))
      RequestTTY force

    """.write(toFile: folder.file("ssh_config"), atomically: false, encoding: .utf8)
    try self.write("#!/bin/sh\nexec /usr/bin/ssh -F '\(folder.file("ssh_config"))' \"$@\"\n", to: "ssh")
  }
}
