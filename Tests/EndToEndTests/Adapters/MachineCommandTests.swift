import Foundation
import Glibc
import TerminalTesting
import Testing

@Suite("Machines that a person answers for", .timeLimit(.minutes(5)))
struct MachineCommandTests {
  /// The home of the person, who answers for others.
  private let home: AskingHome
  /// The home of a user on another machine.
  private let there: AskingHome

  init() throws {
    home = try AskingHome()
    there = try AskingHome()
  }

  /// A server with a broker that ends with the test. Without one, the bridge would start one that stays.
  private struct Far {
    var server: MachineServer
    var broker: TerminalSession
  }

  private func far(bridge: String = "--as ana") async throws -> Far {
    let far = Far(server: try await MachineServer(there, bridge: bridge), broker: try there.broker())
    try home.lead(to: far.server)
    return far
  }

  /// Replaces what the server runs for the operator's key.
  private func run(_ command: String) throws {
    let file = there.folder.file("authorized")
    let key = try String(contentsOfFile: there.folder.file("operator.pub"), encoding: .utf8)
    try "restrict,command=\"\(command)\" \(key)".write(toFile: file, atomically: false, encoding: .utf8)
  }

  /// Changes what the server runs for the operator's key.
  private func change(_ part: String, to other: String) throws {
    let file = there.folder.file("authorized")
    let text = try String(contentsOfFile: file, encoding: .utf8).replacing(part, with: other)
    try text.write(toFile: file, atomically: false, encoding: .utf8)
  }

  private func added() async throws {
    let run = try await home.permtui("machine", "add", "web1", "--class", "prod", "--colour", "1", "--write")
    try #require(run.ending == .exited(0), "\(run)")
  }

  @Test("A machine is shown first and kept only with --write; then it is listed with what it passes on")
  func addAndList() async throws {
    let far = try await far()
    let look = try await home.permtui("machine", "add", "web1", "--class", "prod")
    #expect(look.ending == .exited(0), "\(look)")
    let key = try await home.run(["ssh-keygen", "-lf", there.folder.file("host.pub")]).output
    let fingerprint = try #require(key.split(separator: " ").dropFirst().first)
    #expect(look.output.contains(fingerprint), "\(look)")
    #expect(look.output.contains("answers, and knows you as ana"), "\(look)")
    #expect(look.messages.contains("permtui machine add web1 --class prod --write"), "\(look)")
    #expect(try await home.permtui("machine", "list").ending == .exited(1))
    try await added()
    let list = try await home.permtui("machine", "list")
    #expect(list.ending == .exited(0), "\(list)")
    #expect(list.output.contains("web1 · prod") && list.output.contains("answers, as ana"), "\(list)")
    let json = try await home.permtui("machine", "list", "--json").output
    #expect(json.contains(#""class":"prod","#) && json.contains(#""fault":null"#), "\(json)")
    #expect(json.contains(#""operator":"ana","passes":"answers","ssh":"web1""#), "\(json)")
    #expect(!FileManager.default.fileExists(atPath: home.folder.file("obeyed")))
    let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.file(".local/state/permtui"))
    #expect(!names.contains { $0.hasPrefix("machines.first") }, "\(names)")
    withExtendedLifetime(far) {}
  }

  @Test("A machine with another id answers nothing until it is trusted")
  func otherID() async throws {
    let far = try await far()
    try await added()
    let store = there.folder.file("other.sqlite")
    let broker = try there.terminalPermtui("serve", "--store", store)
    try broker.expect("Listening")
    try change("permtui bridge", to: "permtui bridge --store '\(store)'")
    let list = try await home.permtui("machine", "list")
    #expect(list.ending == .exited(2) && list.output.contains("has another id than before"), "\(list)")
    let look = try await home.permtui("machine", "trust", "web1")
    #expect(look.ending == .exited(1) && look.output.contains("old id"), "\(look)")
    #expect(!look.output.contains("old host key"), "\(look)")
    #expect(try await home.permtui("machine", "list").ending == .exited(2))
    #expect(try await home.permtui("machine", "trust", "web1", "--yes").ending == .exited(0))
    #expect(try await home.permtui("machine", "list").ending == .exited(0))
    withExtendedLifetime((far, broker)) {}
  }

  @Test("A machine with another host key is not talked to until it is trusted")
  func otherHostKey() async throws {
    let far = try await far()
    try await added()
    let other = try await MachineServer(try AskingHome(), bridge: "--as ana")
    let broker = try other.home.broker()
    try home.lead(to: other)
    let list = try await home.permtui("machine", "list", "--json")
    #expect(list.ending == .exited(2) && list.output.contains(#""fault":"host-key-changed""#), "\(list)")
    #expect(list.output.contains(#""host":null"#), "\(list)")
    let again = try await home.permtui("machine", "add", "web1", "--write")
    #expect(again.ending == .exited(2) && again.messages.contains("is not the same any more"), "\(again)")
    let trust = try await home.permtui("machine", "trust", "web1", "--yes")
    #expect(trust.ending == .exited(0) && trust.output.contains("old host key"), "\(trust)")
    #expect(try await home.permtui("machine", "list").ending == .exited(0))
    withExtendedLifetime((far, other, broker)) {}
  }

  @Test("One machine has one name, and this machine has none")
  func sameMachine() async throws {
    let far = try await far()
    try await added()
    let second = try await home.permtui("machine", "add", "web2", "--write")
    #expect(second.ending == .exited(2) && second.messages.contains("web2 is the same as web1"), "\(second)")
    #expect(try !String(contentsOfFile: configuration, encoding: .utf8).contains("web2"))
    #expect(try await home.permtui("machine", "forget", "web1").ending == .exited(0))
    let forgotten = try await home.permtui("machine", "list")
    #expect(forgotten.ending == .exited(2) && forgotten.output.contains("was not added yet"), "\(forgotten)")
    let broker = try home.broker()
    try change("HOME='\(there.folder.path)'", to: "HOME='\(home.folder.path)'")
    let own = try await home.permtui("machine", "add", "web1", "--write")
    #expect(own.ending == .exited(2) && own.messages.contains("is the broker on this side"), "\(own)")
    withExtendedLifetime((far, broker)) {}
  }

  private var configuration: String { home.folder.file(".config/permtui/config.toml") }

  @Test("A key that only watches is listed as such")
  func watching() async throws {
    let far = try await far(bridge: "--as wall --only watch")
    try await added()
    #expect(try await home.permtui("machine", "list").output.contains("watch, as wall"))
    withExtendedLifetime(far) {}
  }

  @Test("A machine that cannot be used is listed with the reason, in visible characters")
  func faults() async throws {
    let far = try await far()
    try await added()
    let cases: [(command: String, fault: String)] = [
      ("exec permtui-is-not-here", "no-permtui"), ("head -c 65536 /dev/zero | tr '\\0' x; cat", "nonsense"),
      ("echo Welcome; cat", "nonsense"), ("printf '\\033[2Jboo' >&2; exit 3", "no-bridge"),
    ]
    for (command, fault) in cases {
      try run(command)
      let list = try await home.permtui("machine", "list", "--json")
      #expect(
        list.ending == .exited(2) && list.output.contains("\"fault\":\"\(fault)\""), "\(command): \(list)")
      #expect(!list.output.contains("\u{1b}"), "\(list)")
    }
    try "".write(toFile: there.folder.file("authorized"), atomically: false, encoding: .utf8)
    let refused = try await home.permtui("machine", "list", "--json")
    #expect(refused.output.contains(#""fault":"not-authorised""#), "\(refused)")
    try home.lead(to: far.server, port: 1)
    let gone = try await home.permtui("machine", "list")
    #expect(gone.ending == .exited(3) && gone.output.contains("is out of reach"), "\(gone)")
    withExtendedLifetime(far) {}
  }

  @Test(
    "A destination never reaches ssh as an option or a shell as a command",
    arguments: [
      "-oProxyCommand=touch obeyed", "-F", "web1 touch", "web1;touch", "$(touch obeyed)", "ssh://-oX@web1;",
    ])
  func hostile(_ destination: String) async throws {
    try home.write("#!/bin/sh\ntouch '\(home.folder.file("obeyed"))'\n", to: "ssh")
    let run = try await home.permtui("machine", "add", "web1", "--write", "--", destination)
    #expect(run.ending == .exited(64), "\(run)")
    try home.configure("[machines.web1]\nssh = '\(destination)'\n")
    let list = try await home.permtui("machine", "list")
    #expect(list.ending == .exited(1) && list.messages.contains("machines.web1.ssh: must be"), "\(list)")
    #expect(!FileManager.default.fileExists(atPath: home.folder.file("obeyed")))
  }

  @Test(
    "Arguments that cannot be meant are refused",
    arguments: [
      ["list", "web1"], ["add"], ["trust"], ["forget"], ["add", "all"], ["add", "This"],
      ["add", "web1", "--yes"],
      ["add", "web1", "--class", "two words"], ["add", "web1", "--colour", "8"],
      ["trust", "web1", "--write"],
      ["forget", "web1", "--json"], ["look"], [],
    ])
  func usage(_ arguments: [String]) async throws {
    let run = try await home.run(["permtui", "machine"] + arguments)
    #expect(run.ending == .exited(64), "\(run)")
  }

  @Test("No ssh is left when a list is done")
  func reaped() async throws {
    let far = try await far()
    try await added()
    _ = try await home.permtui("machine", "list")
    let keys = Data(home.folder.file(".local/state/permtui/machines.hosts").utf8)
    let deadline = ContinuousClock.now + .seconds(30)
    while try FileManager.default.contentsOfDirectory(atPath: "/proc").contains(where: { name in
      (try? Data(contentsOf: URL(filePath: "/proc/\(name)/cmdline")))?.range(of: keys) != nil
    }) {
      try #require(ContinuousClock.now < deadline)
    }
    withExtendedLifetime(far) {}
  }
}
