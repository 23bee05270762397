import Foundation
import TerminalTesting
import Testing
import Waiting

/// A session of a real agent behind walls, with a stand-in for the model at a port of this machine.
@Suite("A real agent works behind walls", .needsWalls, .timeLimit(.minutes(5)))
struct AgentSessionTests {
  @Test("The first session of Claude Code asks at most five times, and its command works in the project")
  func claude() async throws {
    guard let program = named("PERMTUI_TEST_CLAUDE") else { return }
    try await work(
      "claude", program, ["-p", "go", "--dangerously-skip-permissions"],
      [
        "ANTHROPIC_BASE_URL=http://127.0.0.1:PORT", "ANTHROPIC_API_KEY=anything",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
      ])
  }

  @Test("The first session of Codex asks at most five times, and its command works in the project")
  func codex() async throws {
    guard let program = named("PERMTUI_TEST_CODEX") else { return }
    let model =
      "{name=\"stand-in\",wire_api=\"responses\",env_key=\"KEY\",base_url=\"http://127.0.0.1:PORT/v1\"}"
    try await work(
      "codex", program,
      [
        "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-c", "model=stand-in",
        "-c", "model_provider=stand-in", "-c", "model_providers.stand-in=\(model)", "go",
      ], ["KEY=anything"])
  }

  /// The program that a variable names. Such programs are too large to be installed for every test.
  private func named(_ variable: String) -> String? {
    let path = ProcessInfo.processInfo.environment[variable]
    if path == nil { print("Skipped: \(variable) does not name the program") }
    return path
  }

  private func work(
    _ name: String, _ agent: String, _ arguments: [String], _ variables: [String]
  ) async throws {
    let ground = try await Ground(isAllowed: false)
    let program = ground.file("../\(name)")
    try FileManager.default.copyItem(atPath: agent, toPath: program)
    let home = URL(filePath: ground.work).deletingLastPathComponent().path + "/home"
    _ = try await ground.outside("mkdir", home)
    let model = try startModel(ground, having: "touch made-by-agent")
    try await until { model.output.contains("\n") }
    let port = model.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let walls = [
      ground.user.program("permtui-run"), "--fuse", ground.user.fuse, "--store", ground.store, "--here",
    ]
    let names = variables.flatMap { ["--env", String($0.prefix { $0 != "=" })] }
    let running = try ground.start(
      ["env", "HOME=\(home)"] + variables.map { $0.replacing("PORT", with: port) } + walls + names + [
        "--", program,
      ]
        + arguments.map { $0.replacing("PORT", with: port) })
    let asked = try await ground.answerAll(until: running)
    #expect(
      FileManager.default.fileExists(atPath: ground.file("made-by-agent")),
      "\(running.output) \(running.messages)")
    #expect(asked.count <= 5, "\(asked)")
    #expect(try await ground.outside("ls", "-A", home).output == "", "\(running.messages)")
  }

  private func startModel(_ ground: Ground, having command: String) throws -> Running {
    let tests = (1...2).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let script = tests.appending(path: "Support/Agents/model.py").path(percentEncoded: false)
    return try ground.startOutside("python3", script, command, "plain")
  }
}
