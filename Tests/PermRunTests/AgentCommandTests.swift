import Foundation
import TerminalTesting
import Testing

@Suite("The command that starts an agent behind walls", .needsWalls, .timeLimit(.minutes(5)))
struct AgentCommandTests {
  private let ground: Ground
  private let command: String

  init() async throws {
    ground = try await Ground(isAllowed: false)
    command = ground.user.home + "/.local/bin/claude-walls"
  }

  /// Writes a program of the user.
  private func program(_ name: String, _ line: String) async throws {
    try ground.write("#!/bin/sh\n\(line)\n", to: name)
    _ = try await ground.outside("chmod", "700", ground.file(name))
  }

  /// Installs permtui in a folder of its own. Beside it, the program that builds walls uses the FUSE device of the tests.
  private func install() async throws -> String {
    _ = try await ground.outside("mkdir", ground.file("bin"), ground.file("agent"))
    _ = try await ground.outside("cp", ground.user.program("permtui"), ground.file("bin/permtui"))
    try await program(
      "bin/permtui-run", "exec \(ground.user.program("permtui-run")) --fuse \(ground.user.fuse) \"$@\"")
    return ground.file("bin/permtui")
  }

  @Test("It asks for the agent, whatever the agent's own rules say, and is removed again")
  func wholeWay() async throws {
    let permtui = try await install()
    let made = try await ground.outside(permtui, "connect", "claude", "--walls", "--write")
    #expect(made.ending == .exited(0), "\(made.messages)")
    try await program("agent/claude", "cat \"$@\"")
    try ground.write("a note\n", to: "my notes")
    _ = try await ground.permtui("allow", "claude", "files:read@\(ground.file("agent"))/")
    let running = try ground.start([
      "env", "PERMTUI_STORE=\(ground.store)", "PATH=\(ground.file("agent")):/usr/bin:/bin", command, "--",
      ground.file("my notes"),
    ])
    let pending = try await ground.untilPending("files:read@\(ground.file("my notes"))")
    #expect(pending.program.label == "claude")
    try await ground.answer(pending, "allow")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "a note\n")
    let gone = try await ground.outside(permtui, "connect", "claude", "--walls", "--remove")
    #expect(gone.ending == .exited(0), "\(gone.messages)")
    #expect(!FileManager.default.fileExists(atPath: command))
  }
}
