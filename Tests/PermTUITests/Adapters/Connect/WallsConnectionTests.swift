import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Connecting an agent behind walls")
struct WallsConnectionTests {
  private static let command = ".local/bin/claude-walls"

  private let trial: ConnectTrial

  init() throws { trial = try ConnectTrial() }

  /// Puts a program in the place of the one that builds walls. It ends like that one.
  private func warden(_ lines: String = "exit 0") throws {
    try trial.file("bin/permtui-run", "#!/bin/sh\n\(lines)\n", mode: 0o755)
  }

  private func walls(
    _ step: ConnectionWork.Step, of agent: ConnectableProgram = .claude, places: SettingsPaths? = nil
  ) throws -> ConnectTrial.Outcome {
    try trial.run(agent, step, places: places, isAboutWalls: true)
  }

  @Test(
    "Connecting an agent says how it is started behind walls", arguments: [ConnectableProgram.claude, .codex])
  func offer(agent: ConnectableProgram) throws {
    try warden()
    for step in [ConnectionWork.Step.show, .write] {
      let run = try trial.run(agent, step)
      #expect(run.messages.contains("Behind walls: permtui run -- \(agent.rawValue). "), "\(run.messages)")
      #expect(
        run.messages.contains(
          "'permtui connect \(agent.rawValue) --walls --write' makes that a command: \(agent.rawValue)-walls."
        ),
        "\(run.messages)")
      #expect(!run.messages.contains("Not on this machine"))
    }
    #expect(trial.names(in: ".local/bin") == [])
  }

  @Test("Other programs are not offered walls")
  func others() throws {
    try warden()
    for program in [ConnectableProgram.deno, .ssh, .tmux] {
      #expect(try !trial.run(program).messages.contains("Behind walls"))
    }
  }

  @Test("A machine without walls is named in one sentence, and no command is made for it")
  func noWalls() throws {
    let missing = "permtui run has no walls: permtui-run is not installed beside permtui"
    #expect(
      try trial.run(.claude).messages.contains(
        "Not on this machine yet: \(missing) ('permtui doctor' says what helps).\n"))
    try warden(
      "echo 'permtui-run: cannot make namespaces: not permitted.'; echo 'As root: sysctl'; exit 125")
    let shown = try trial.run(.claude)
    #expect(
      shown.messages.contains(
        "Not on this machine yet: permtui run cannot make namespaces: not permitted ('permtui doctor' says what helps)."
      ),
      "\(shown.messages)")
    #expect(!shown.messages.contains("--walls --write"))
    let refused = try walls(.write)
    #expect(refused.error?.status == .noWalls)
    #expect(refused.error?.message == "permtui run cannot make namespaces: not permitted.")
    #expect(refused.error?.advice == ["As root: sysctl"])
    #expect(trial.names(in: ".local/bin") == [])
  }

  @Test("The command is shown first, made once, and taken away without a trace")
  func roundTrip() throws {
    try warden()
    let shown = try walls(.show)
    #expect(shown.output.hasPrefix("~/\(Self.command): a new file\n  + #!/bin/sh\n"), "\(shown.output)")
    #expect(shown.messages.contains("'permtui connect claude --walls --write' makes this change:"))
    #expect(trial.text(Self.command) == nil)
    let made = try walls(.write)
    #expect(made.messages.contains("claude-walls starts claude behind walls now.\n"), "\(made.messages)")
    #expect(made.messages.contains("~/.local/bin is not in your PATH, so call it by its path.\n"))
    #expect(
      trial.text(Self.command)
        == """
        #!/bin/sh
        # Written by 'permtui connect claude --walls', which --remove takes back.
        exec \(trial.home)/bin/permtui run -- claude "$@"

        """)
    #expect(FileStatus(trial.path(Self.command))?.mode == 0o755)
    #expect(trial.text(".claude/settings.json") == nil)
    #expect(try walls(.write).messages.contains("claude-walls is already there.\n"))
    let gone = try walls(.remove)
    #expect(gone.messages.contains("claude-walls is gone.\n"))
    #expect(trial.names(in: ".local/bin") == [])
    #expect(try walls(.remove).error?.message == "claude-walls is not there, so there is nothing to remove")
  }

  @Test("The hook and the command are added and removed each by itself")
  func apart() throws {
    try warden()
    try trial.run(.claude, .write)
    _ = try walls(.write)
    #expect(try trial.run(.claude, .remove).error == nil)
    #expect(trial.text(Self.command) != nil)
    try trial.run(.claude, .write)
    _ = try walls(.remove)
    #expect(trial.text(".claude/settings.json")?.contains("permtui' hook") == true)
  }

  @Test(
    "A file of the person's, and a command that was changed since, stay as they are",
    arguments: ["", "#!/bin/sh\nexec firejail claude\n", "CHANGED"])
  func kept(text: String) throws {
    try warden()
    _ = try walls(.write)
    let text = text == "CHANGED" ? try #require(trial.text(Self.command)) + "# mine\n" : text
    try trial.file(Self.command, text, mode: 0o755)
    for step in [ConnectionWork.Step.show, .write, .remove] {
      #expect(
        try walls(step).error?.message
          == "\(trial.path(Self.command)) is a file of yours, or was changed since it was written")
      #expect(trial.text(Self.command) == text)
      #expect(trial.names(in: ".local/bin") == ["claude-walls"])
    }
  }

  @Test("A command that runs another permtui is told by the doctor, and corrected")
  func moved() throws {
    try warden()
    _ = try walls(.write)
    let text = try #require(trial.text(Self.command))
    let findings = { [trial] in ConnectionCheckup(trial.places).findings.map(\.what) }
    #expect(findings().contains("~/\(Self.command) starts claude behind walls"))
    try trial.file(
      Self.command, text.replacing("\(trial.home)/bin/permtui", with: "/old/permtui"), mode: 0o755)
    #expect(findings().contains("~/\(Self.command) does not run this permtui, but /old/permtui"))
    _ = try walls(.write)
    #expect(trial.text(Self.command) == text)
  }

  @Test("A folder in which commands are found is not complained about")
  func inPath() throws {
    try warden()
    var places = trial.places
    places.commands.append("\(trial.home)/.local/bin")
    #expect(try !walls(.write, of: .codex, places: places).messages.contains("PATH"))
    #expect(trial.text(".local/bin/codex-walls")?.contains(" run -- codex \"$@\"\n") == true)
  }
}
