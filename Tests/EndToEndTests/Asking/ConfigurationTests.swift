import Foundation
import TerminalTesting
import Testing

@Suite("The configuration is watched, through the built program", .timeLimit(.minutes(5)))
struct ConfigurationTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  private func configure(_ text: String) throws {
    let folder = home.folder.file(".config/permtui")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/config.toml", atomically: true, encoding: .utf8)
  }

  /// Expects that the commands know a capability that only the running broker has.
  private func expectKnown(_ name: String) async throws {
    let why = try await home.permtui("why", "x", name)
    #expect(why.ending != .exited(64) && why.output.contains(name), "\(why.messages)")
    let asked = try await home.permtui("request", name, "--as", "y", "--wait", "1", "--queue")
    #expect(asked.ending == .exited(3), "\(asked.messages)")
    #expect(!asked.messages.contains("no capability"), "\(asked.messages)")
    let denied = try await home.permtui("deny", "z", name)
    #expect(denied.ending == .exited(0), "\(denied.messages)")
    #expect(try await home.permtui("capabilities").output.contains("\n\(name) "))
    let unknown = try await home.permtui("why", "x", "no-such-thing")
    #expect(unknown.ending == .exited(64), "\(unknown.messages)")
  }

  @Test("serve takes over a new capability, keeps it when the file is broken, and says so as doctor does")
  func serve() async throws {
    let broker = try home.broker()
    try configure("[capability.vpn]\ntitle = \"VPN\"\n")
    try broker.expect("The changed configuration is now in effect")
    let allowed = try await home.permtui("allow", "x", "vpn")
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    try configure("[dashboard]\nbell = 3\n")
    try broker.expect("The configuration from before the change is still in effect.")
    try await expectKnown("vpn")
    try configure("[capability.vpn\n")
    try broker.expect("the news twice") {
      $0.count(of: "The configuration from before the change is still in effect.") >= 2
    }
    try await expectKnown("vpn")
    try configure("[dashboard]\nbell = 3\n")
    let mistake = "dashboard.bell: must be true or false"
    #expect(try await home.permtui("doctor").output.contains(mistake))
    let check = try await home.permtui("capabilities", "--check")
    #expect(check.ending == .exited(2))
    #expect(check.messages.contains(mistake))
    broker.signal(SIGTERM)
    #expect(try broker.waitForEnd() == .exit(code: 0))
  }

  @Test("The dashboard takes over new capabilities and keys, and its header says that the file is broken")
  func dashboard() async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    try configure("[capability.vpn]\ntitle = \"VPN tunnel\"\n[keys]\nhelp = \"Z\"\n")
    try dashboard.expect("VPN tunnel")
    try dashboard.expect("Z help")
    dashboard.type("Z")
    try dashboard.expect("PermTUI › Help")
    dashboard.type("q")
    try configure("[capability.vpn\n")
    try dashboard.expect("1 mistake: permtui doctor")
    try dashboard.expect("VPN tunnel")
    dashboard.type("q")
    #expect(try dashboard.waitForEnd() == .exit(code: 0))
  }
}
