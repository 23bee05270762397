import Foundation
import TerminalTesting
import Testing

@Suite("The user service", .timeLimit(.minutes(5)))
struct UserServiceTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  @Test("serves at the sockets that are handed to it, and leaves them where they are")
  func activated() async throws {
    let launch = Repository.path("Tests/Support/Activation/launch.py")
    let broker = try home.terminal("python3", launch, home.sockets, BuiltProgram.path, "serve")
    try broker.expect("Listening")
    let allowed = try await home.permtui("allow", "permtui-test", "photos")
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    #expect(!(try await home.permtui("log").output.contains("without a broker")))
    let second = try await home.permtui("serve")
    #expect(second.ending == .exited(2))
    #expect(second.messages.contains("another broker serves this store"), "\(second.messages)")
    broker.signal(SIGTERM)
    #expect(try broker.waitForEnd() == .exit(code: 0))
    #expect(FileManager.default.fileExists(atPath: home.sockets + "/ask"))
  }

  @Test("comes with units that are right, and goes with them", .needs("systemd-analyze"))
  func units() async throws {
    let prefix = home.folder.file("prefix")
    let install = Repository.path("scripts/install")
    let builds = URL(filePath: BuiltProgram.path).deletingLastPathComponent().path(percentEncoded: false)
    let installed = try await home.run([install, builds], environment: ["PREFIX": prefix])
    #expect(installed.ending == .exited(0), "\(installed.messages)")
    let units = prefix + "/share/systemd/user"
    let service = try String(contentsOfFile: units + "/permtui.service", encoding: .utf8)
    #expect(service.contains("ExecStart=\(prefix)/bin/permtui serve"))
    let check = try await home.run(
      [
        "systemd-analyze", "--user", "--man=no", "verify", units + "/permtui.socket",
        units + "/permtui.service",
      ])
    #expect(check.ending == .exited(0), "\(check.messages)")
    _ = try await home.run([install, "--remove"], environment: ["PREFIX": prefix])
    #expect(try FileManager.default.contentsOfDirectory(atPath: units).isEmpty)
  }
}
