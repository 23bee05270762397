import Foundation
import TerminalTesting
import Testing

/// Runs real agents, with a stand-in for the model. The programs are too large to be installed for every test, so each
/// test runs only if a variable names its program.
@Suite("A real agent asks through its hook", .timeLimit(.minutes(5)))
struct RealAgentTests {
  private let home: AskingHome
  private let project: String

  init() throws {
    home = try AskingHome()
    project = try home.project("proj")
  }

  /// The program that a variable names.
  private func program(_ variable: String) -> String? {
    let path = ProcessInfo.processInfo.environment[variable]
    if path == nil { print("Skipped: \(variable) does not name the program") }
    return path
  }

  private func support(_ name: String) -> String {
    let tests = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    return tests.appending(path: "Support/Agents/\(name)").path(percentEncoded: false)
  }

  /// Writes a script that starts the model, which has the agent run a command, and then the agent.
  private func writeScript(having command: String, _ agent: String) throws -> String {
    try home.write(
      """
      #!/bin/bash
      cd "\(project)"
      python3 "\(support("model.py"))" "\(command)" > "$HOME/port" &
      trap "kill $!" EXIT
      until [ -s "$HOME/port" ]; do :; done
      port=$(cat "$HOME/port")
      \(agent)
      """, to: "start-agent")
  }

  private func hooks(timeout: Int) -> String {
    let ask =
      #"[{"matcher":"*","hooks":[{"type":"command","command":"\#(home.hook)","timeout":\#(timeout)}]}]"#
    return #"{"hooks":{"PermissionRequest":\#(ask)}}"#
  }

  private func claude(_ program: String) throws -> String {
    let settings = try home.write(hooks(timeout: 86_400), as: "settings.json")
    return try writeScript(
      having: "touch made-by-agent",
      """
      env -i HOME="$HOME" PATH=/usr/bin:/bin ANTHROPIC_BASE_URL=http://127.0.0.1:$port ANTHROPIC_API_KEY=anything \\
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "\(program)" -p go --settings "\(settings)" < /dev/null 2>&1
      """)
  }

  private func codex(_ program: String) throws -> String {
    let folder = try home.project(".codex")
    try hooks(timeout: 120).write(toFile: "\(folder)/hooks.json", atomically: false, encoding: .utf8)
    let config = """
      model = "stand-in"
      model_provider = "stand-in"
      [model_providers.stand-in]
      name = "stand-in"
      base_url = "http://127.0.0.1:PORT/v1"
      wire_api = "responses"
      env_key = "KEY"
      [projects."\(project)"]
      trust_level = "trusted"

      """
    try config.write(toFile: "\(folder)/config.toml", atomically: false, encoding: .utf8)
    return try writeScript(
      having: "touch \(project)/made-by-agent",
      """
      sed -i "s/127.0.0.1:[A-Z0-9]*/127.0.0.1:$port/" "$HOME/.codex/config.toml"
      env -i HOME="$HOME" PATH=/usr/bin:/bin KEY=anything python3 "\(support("codex.py"))" "\(program)" "\(project)" 2>&1
      """)
  }

  private func answer(_ script: String, as agent: String) async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    async let allowed = home.run([script])
    try dashboard.expect("the command") {
      $0.contains("made-by-agent") && $0.contains("Try it") && $0.isArmed
    }
    #expect(dashboard.picture.contains("\(agent) in "))
    dashboard.type("a")
    try dashboard.expect("no alert") { !$0.isArmed }
    let yes = try await allowed.output
    #expect(FileManager.default.fileExists(atPath: "\(project)/made-by-agent"), "\(yes)")
    try FileManager.default.removeItem(atPath: "\(home.folder.path)/port")
    async let denied = home.run([script])
    try dashboard.expect("the command again") { $0.contains("made-by-agent") && $0.isArmed }
    dashboard.type("d")
    let no = try await denied.output
    #expect(no.contains("The person denied this in PermTUI."), "\(no)")
  }

  @Test("Claude Code runs its command when it is allowed, and is told of the denial")
  func claudeCode() async throws {
    guard let program = program("PERMTUI_TEST_CLAUDE") else { return }
    try await answer(try claude(program), as: "claude")
  }

  @Test("Codex runs its command when it is allowed, and is told of the denial")
  func codexServer() async throws {
    guard let program = program("PERMTUI_TEST_CODEX") else { return }
    try await answer(try codex(program), as: "codex")
  }
}
