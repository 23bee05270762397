import Foundation
import Glibc
import TerminalTesting
import Testing

@Suite("Other machines in a dashboard", .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0))
struct MachineDashboardTests {
  /// The home of the person, who answers for others.
  private let home: AskingHome
  /// The home of a user on another machine.
  private let there: AskingHome

  init() throws {
    home = try AskingHome()
    there = try AskingHome()
  }

  /// A server with a broker, which a person has added as web1.
  private func far() async throws -> (server: MachineServer, broker: TerminalSession) {
    let far = (server: try await MachineServer(there, bridge: "--as ana"), broker: try there.broker())
    try home.lead(to: far.server)
    let run = try await home.permtui("machine", "add", "web1", "--class", "prod", "--colour", "1", "--write")
    try #require(run.ending == .exited(0), "\(run)")
    try there.write("#!/bin/bash\npermtui request photos --as backup --wait 60\n", to: "backup.sh")
    return far
  }

  private func asking() -> Task<ProcessRun, any Error> {
    Task { [there] in try await there.run(["backup.sh"]) }
  }

  @Test("An alert says on which machine, and the answer counts there as the operator's")
  func answered() async throws {
    let far = try await far()
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    let run = asking()
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    try dashboard.expect("web1 · prod")
    dashboard.type("a")
    try dashboard.expect("On web1: Allowed for this request: photos")
    #expect(try await run.value.ending == .exited(0))
    let log = try await there.permtui("log", "--kind", "answered").output
    #expect(log.contains("by the operator ana"), "\(log)")
    // The person's own store does not know of it.
    #expect(try await !home.permtui("log").output.contains("backup"))
    dashboard.type("q")
    #expect(try dashboard.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(far) {}
  }

  @Test(
    "A connection that ends is told with the reason, and an alert that stays answers nothing until it is back"
  )
  func lost() async throws {
    let far = try await far()
    let dashboard = try home.terminalPermtui()
    let run = asking()
    try dashboard.expect("backup on web1 asks to read your photos")
    // The key's line leads to something else, and the connection of the bridge ends.
    let keys = there.folder.file("authorized")
    let line = try String(contentsOfFile: keys, encoding: .utf8)
    try line.replacing("permtui bridge", with: "false").write(
      toFile: keys, atomically: false, encoding: .utf8)
    try far.server.endBridges()
    try dashboard.expect("web1 has gone: an answer counts for nothing")
    try dashboard.expect("web1 has no bridge")
    dashboard.type("a")
    try dashboard.expect("No broker asks this now")
    try line.write(toFile: keys, atomically: false, encoding: .utf8)
    try dashboard.expectGone("web1 has no bridge")
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    dashboard.type("d")
    try dashboard.expect("On web1: Denied for this request: photos")
    #expect(try await run.value.ending == .exited(1))
    withExtendedLifetime(far) {}
  }

  @Test("Line by line, the machine is named first, and a panic reaches it")
  func plain() async throws {
    let far = try await far()
    let dashboard = try home.terminalPermtui("--plain")
    let run = asking()
    try dashboard.expect("On: web1 · prod")
    try dashboard.expect("Answer:")
    dashboard.type("deny\r")
    try dashboard.expect("On web1: Denied for this request: photos")
    #expect(try await run.value.ending == .exited(1))
    dashboard.type("panic\r")
    try dashboard.expect("PANIC since")
    while try await !there.permtui("log").output.contains("suspended") { try Task.checkCancellation() }
    withExtendedLifetime(far) {}
  }
}
