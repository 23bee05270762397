import Foundation
import Glibc
import TerminalTesting
import Testing

@Suite("Logins to a real sshd", .timeLimit(.minutes(5)))
struct LoginTests {
  private let place: SSHPlace
  private let server: LoginServer

  init() async throws {
    place = try await SSHPlace()
    server = try await LoginServer(place)
  }

  @Test("A login asks for the key in the name of ssh", arguments: ["allow", "deny"])
  func login(verdict: String) async throws {
    async let run = server.login("-o", "StrictHostKeyChecking=accept-new")
    let waiting = try await place.home.pending(1)
    #expect(waiting[0].program.label == "ssh")
    _ = try await place.home.answer(waiting[0].id, verdict)
    let login = try await run
    #expect(login.output == (verdict == "allow" ? "hello\n" : ""), "\(login.messages)")
    #expect((login.ending == .exited(0)) == (verdict == "allow"))
  }

  @Test("An unknown host is asked about with its fingerprint, once only", arguments: ["allow", "deny"])
  func hostKey(verdict: String) async throws {
    async let run = server.login("-o", "StrictHostKeyChecking=ask")
    let waiting = try await place.home.pending(1)
    #expect(waiting[0].program.label == "ssh (unknown host)")
    let pending = try await place.home.permtui("pending").output
    #expect(pending.contains("network:connect@127.0.0.1:\(server.port)"), "\(pending)")
    let kept = try await place.home.answer(waiting[0].id, verdict, "--for", "process")
    #expect(kept.ending != .exited(0))
    _ = try await place.home.answer(waiting[0].id, verdict)
    if verdict == "allow" {
      let next = try await place.home.pending(1)
      #expect(next[0].program.label == "ssh")
      _ = try await place.home.answer(next[0].id, "allow")
    }
    let login = try await run
    #expect(login.output == (verdict == "allow" ? "hello\n" : ""), "\(login.messages)")
    let known = FileManager.default.contents(atPath: server.knownHosts) ?? Data()
    #expect(known.isEmpty == (verdict == "deny"))
    #expect(verdict == "allow" || login.messages.contains("Host key verification failed"))
  }

  @Test("A shared connection is asked about each time", arguments: ["allow", "deny"])
  func sharedConnection(verdict: String) async throws {
    let control = place.home.folder.file("control")
    let master = try server.start(
      "-N", "-S", control, "-o", "ControlMaster=ask", "-o", "StrictHostKeyChecking=accept-new")
    _ = try await place.home.answer(try await place.home.waitingIDs(1)[0], "allow")
    try await SSHPlace.waitForFile(control)
    for _ in 1...2 {
      async let run = server.login("-S", control, "-o", "BatchMode=yes", "-o", "PubkeyAuthentication=no")
      let waiting = try await place.home.pending(1)
      #expect(waiting[0].program.label == "ssh (shared connection)")
      let kept = try await place.home.answer(waiting[0].id, verdict, "--for", "process")
      #expect(kept.ending != .exited(0))
      _ = try await place.home.answer(waiting[0].id, verdict)
      #expect(try await run.output == (verdict == "allow" ? "hello\n" : ""))
    }
    withExtendedLifetime(master) {}
  }

  @Test("A password is asked for by the other program")
  func password() async throws {
    let asked = place.home.folder.file("asked")
    let other = try place.home.write("#!/bin/bash\necho \"$1\" >>\(asked)\necho wrong\n", to: "other-askpass")
    let login = try await server.login(
      "-o", "StrictHostKeyChecking=accept-new", "-o", "PubkeyAuthentication=no",
      "-o", "PreferredAuthentications=password", "-o", "NumberOfPasswordPrompts=1",
      adding: ["PERMTUI_ASKPASS": other])
    #expect(login.ending != .exited(0))
    #expect(try String(contentsOfFile: asked, encoding: .utf8).contains("@127.0.0.1's password: "))
    #expect(try await place.home.permtui("pending", "--json").output == "")
  }
}

/// An ssh server on this machine's own address, with keys and settings of its own.
final class LoginServer: Sendable {
  let port: UInt16
  let knownHosts: String
  /// Bound to the port, and never listening: the kernel lets sshd listen there, and gives the port to nobody else.
  private let reservation: Int32
  private let place: SSHPlace
  /// It is only kept alive here, and used by nobody.
  private nonisolated(unsafe) let session: TerminalSession

  init(_ place: SSHPlace) async throws {
    self.place = place
    let folder = place.home.folder
    (reservation, port) = try Self.reservePort()
    knownHosts = folder.file("known_hosts")
    // sshd gives up its rights in this folder, which its service usually makes.
    if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
    _ = try await place.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.file("host"))
    try FileManager.default.copyItem(atPath: folder.file("key.pub"), toPath: folder.file("authorized"))
    let settings = """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(folder.file("host"))
      AuthorizedKeysFile \(folder.file("authorized"))
      PidFile none
      StrictModes no
      UsePAM no
      PermitRootLogin yes
      PasswordAuthentication yes

      """
    try settings.write(toFile: folder.file("sshd_config"), atomically: false, encoding: .utf8)
    session = try place.home.terminal("/usr/sbin/sshd", "-D", "-e", "-f", folder.file("sshd_config"))
    try session.expect("Server listening on 127.0.0.1")
  }

  deinit { close(reservation) }

  static func reservePort() throws -> (socket: Int32, port: UInt16) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    // sshd sets this, too; without it on both sides, the port could not be shared.
    var isOn: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// ssh takes the first of several values, so the options of a test come first.
  private func command(_ options: [String]) -> [String] {
    ["ssh"] + options + [
      "-F", "/dev/null", "-p", String(port), "-o", "UserKnownHostsFile=\(knownHosts)",
      "-o", "GlobalKnownHostsFile=/dev/null", "-o", "IdentityFile=\(place.home.folder.file("key.pub"))",
      "-o", "IdentitiesOnly=yes", "-o", "PreferredAuthentications=publickey",
    ]
  }

  /// Logs in, and prints a greeting there.
  func login(_ options: String..., adding added: [String: String] = [:]) async throws -> ProcessRun {
    try await place.home.run(
      command(options) + ["127.0.0.1", "echo hello"], environment: place.environment.merging(added) { $1 })
  }

  /// Starts a login without a command.
  func start(_ options: String...) throws -> TerminalSession {
    let variables = place.environment.map { "\($0)=\($1)" }
    return try place.home.terminal(variables + command(options) + ["127.0.0.1"])
  }
}
