import Foundation
import TerminalTesting
import Testing

@Suite("A coding agent asks through its hook", .timeLimit(.minutes(5)))
struct HookTests {
  private let home: AskingHome
  private let project: String

  init() throws {
    home = try AskingHome()
    project = try home.project("proj")
    _ = try home.writeAgent()
  }

  private func dashboard() throws -> TerminalSession {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    return dashboard
  }

  @Test("The person allows a command and denies a change; the agent is told in its own form")
  func answers() async throws {
    let dashboard = try dashboard()
    async let run = home.agent(in: project, [try home.message("claude-bash", in: project)])
    try dashboard.expect("the command") { $0.contains("touch x && echo yes") && $0.isArmed }
    #expect(dashboard.picture.contains("claude in "))
    #expect(dashboard.picture.contains("Make a file"))
    dashboard.type("a")
    #expect(try await run.output == AskingHome.allowed)
    async let write = home.agent(in: project, [try home.message("claude-write", in: project)])
    try dashboard.expect("the change") {
      $0.contains("notes.md") && $0.contains("Two lines.") && $0.isArmed
    }
    dashboard.type("d")
    let denied = try await write
    #expect(denied.output == AskingHome.denied("The person denied this in PermTUI."))
    #expect(denied.messages == "")
  }

  @Test("The program is the agent's own file, in its folder")
  func program() async throws {
    let dashboard = try dashboard()
    async let run = home.agent(in: project, [try home.message("codex-bash", in: project)])
    try dashboard.expect("an alert") { $0.contains("git fetch origin") && $0.isArmed }
    #expect(dashboard.picture.contains("bin/claude"))
    #expect(dashboard.picture.contains("codex in "))
    dashboard.type("d")
    _ = try await run
  }

  @Test("If the person answers in the agent, its next message takes the alert off")
  func withdrawn() async throws {
    let dashboard = try dashboard()
    let pipe = "\(project)/go"
    #expect(mkfifo(pipe, 0o600) == 0)
    let messages = try ["claude-bash", "claude-post"].map { try home.message($0, in: project) }
    async let run = home.agent(in: project, messages)
    try dashboard.expect("the command") { $0.contains("touch x && echo yes") && $0.isArmed }
    try "\n".write(toFile: pipe, atomically: false, encoding: .utf8)
    try dashboard.expect("answered in the agent")
    let end = try await run
    #expect(end.output == "" && end.messages == "" && end.ending == .exited(0))
    #expect(try await home.permtui("log", "--kind", "withdrawn").output.contains("answered in the agent"))
  }

  @Test("Without a broker, without a dashboard and on hold, the agent asks by itself, and nothing waits")
  func nobodyThere() async throws {
    let message = try home.message("claude-bash", in: project)
    #expect(try await home.agent(in: project, [message]).isQuiet)
    let broker = try home.broker()
    #expect(try await home.agent(in: project, [message]).isQuiet)
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("second dashboard")
    dashboard.type("H")
    try dashboard.expect("on hold")
    #expect(try await home.agent(in: project, [message]).isQuiet)
    #expect(try await home.permtui("pending", "--json").output == "")
    dashboard.type("H")
    try dashboard.expectGone("on hold")
    withExtendedLifetime(broker) {}
  }

  @Test("When the dashboard closes while the agent waits, the agent asks by itself")
  func dashboardLeaves() async throws {
    let dashboard = try dashboard()
    async let run = home.agent(in: project, [try home.message("claude-bash", in: project)])
    try dashboard.expect("the command") { $0.contains("touch x && echo yes") && $0.isArmed }
    dashboard.signal(SIGTERM)
    #expect(try await run.isQuiet)
  }

  @Test(
    "A question of Codex gives up after 110 s, one of Claude Code a minute before its hook is ended",
    arguments: [("codex-bash", 110.0), ("claude-bash", 86_340.0)])
  func patience(message: String, seconds: Double) async throws {
    let dashboard = try dashboard()
    async let run = home.agent(in: project, [try home.message(message, in: project)])
    let waiting = try await home.pending(1)[0]
    let (asked, end) = (try moment(waiting.asked), try moment(waiting.gives_up ?? ""))
    #expect(abs(end.timeIntervalSince(asked) - seconds) < 0.001, "\(waiting)")
    #expect(try await home.answer(waiting.id, "deny").ending == .exited(0))
    _ = try await run
    withExtendedLifetime(dashboard) {}
  }

  private func moment(_ text: String) throws -> Date {
    try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  @Test("A decision for the folder holds without a dashboard, there and nowhere else")
  func known() async throws {
    let broker = try home.broker()
    let claude = "\(home.folder.file("bin"))/claude"
    _ = try await home.permtui("allow", "claude@\(claude)", "files:read@/etc/hosts", "--in", project)
    let message = try home.message("claude-read", in: project)
    #expect(try await home.agent(in: project, [message]).output == AskingHome.allowed)
    let other = try home.project("other")
    #expect(try await home.agent(in: other, [try home.message("claude-read", in: other)]).isQuiet)
    withExtendedLifetime(broker) {}
  }

  @Test("A content of 1 MiB is asked about, with the lines that are not shown")
  func large() async throws {
    let dashboard = try dashboard()
    let content = String(repeating: "fifteen letters\\n", count: 1 << 16)
    let message = try home.message(
      "claude-write", in: project, replacing: [##"# Notes\n\nTwo lines.\n"##: content])
    async let run = home.agent(in: project, [message])
    try dashboard.expect("the change") { $0.contains("notes.md") && $0.isArmed }
    let pending = try await home.permtui("pending", "--json").output
    #expect(pending.contains(#""details_left_out":65436"#), "\(pending)")
    dashboard.type("d")
    #expect(try await run.output == AskingHome.denied("The person denied this in PermTUI."))
  }

  @Test("Input that is no message gets an empty answer, and a line in the journal")
  func broken() async throws {
    let dashboard = try dashboard()
    let texts = ["", "{", "[1]", "\u{1b}[2J", #"{"hook_event_name":"PermissionRequest"}"#]
    for (number, text) in texts.enumerated() {
      let message = try home.write(text, as: "broken-\(number)")
      #expect(try await home.agent(in: project, [message]).isQuiet, "\(text)")
    }
    let gone = try home.message("claude-bash", in: "/nonexistent")
    #expect(try await home.agent(in: project, [gone]).isQuiet)
    try await home.expectLog("cannot be read")
    try await home.expectLog("understood in two ways")
    #expect(try await home.permtui("status").output.contains("allowed") == false)
    withExtendedLifetime(dashboard) {}
  }

  @Test("Variables that a project can set lead to no other broker")
  func variables() async throws {
    let trap = try AskingHome()
    let broker = try trap.broker()
    let claude = try trap.writeAgent()
    _ = try await trap.permtui("allow", "claude", "commands:run@*", "--for", "session")
    let message = try home.message("claude-bash", in: project)
    var variables = trap.environment
    variables["HOOK"] = "\(BuiltProgram.path) hook"
    variables["PERMTUI_SOCKETS"] = trap.sockets
    variables["PERMTUI_STORE"] = trap.store
    variables["XDG_STATE_HOME"] = trap.folder.file(".local/state")
    variables["PATH"] = "\(trap.folder.file("bin")):/usr/bin:/bin"
    let run = try await home.run(["-C", project, claude, message], environment: variables)
    #expect(run.isQuiet, "\(run.output) \(run.messages)")
    #expect(try await trap.permtui("log").output.contains("touch x") == false)
    withExtendedLifetime(broker) {}
  }
}

extension ProcessRun {
  /// Whether the program printed nothing, so that an agent asks by itself.
  var isQuiet: Bool { output == "" && messages == "" && ending == .exited(0) }
}

extension AskingHome {
  /// Waits until the journal has a line. Automatic answers are written a little later than given.
  fileprivate func expectLog(_ text: String) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try await !permtui("log").output.contains(text) {
      guard ContinuousClock.now < deadline else {
        Issue.record("the journal does not say \(text): \(try await permtui("log").output)")
        return
      }
    }
  }
}
