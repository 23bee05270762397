import Foundation
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Rules because of which an agent does not ask here")
struct AgentRulesTests {
  private let trial: ConnectTrial

  init() throws { trial = try ConnectTrial() }

  private func sentences(_ program: ConnectableProgram) -> [String] {
    AgentRules(trial.places).sentences(for: program)
  }

  @Test("Rules, modes and hooks of Claude Code are named with their file")
  func claude() throws {
    try trial.file(
      ".claude/settings.json",
      #"{"permissions": {"allow": ["Bash(ls)", "Read", "A", "B"], "defaultMode": "acceptEdits"}}"#)
    try trial.file(
      "app/.claude/settings.json", #"{"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}]}]}}"#)
    try trial.file(
      "app/.claude/settings.local.json", #"{"permissions": {"defaultMode": "bypassPermissions"}}"#)
    try trial.file("root/etc/claude-code/managed-settings.json", #"{"disableAllHooks": true}"#)
    for name in ["20-b.json", "10-a.json", ".hidden.json", "notes.txt"] {
      try trial.file(
        "root/etc/claude-code/managed-settings.d/\(name)", #"{"permissions": {"allow": ["\#(name)"]}}"#)
    }
    #expect(
      sentences(.claude) == [
        "~/.claude/settings.json: allows Bash(ls), Read, A and 1 more without asking here",
        "~/.claude/settings.json: the mode is acceptEdits, so changes to files are allowed without asking here",
        "~/root/etc/claude-code/managed-settings.json: disableAllHooks is set, so nothing is asked here",
        "~/root/etc/claude-code/managed-settings.d/10-a.json: allows 10-a.json without asking here",
        "~/root/etc/claude-code/managed-settings.d/20-b.json: allows 20-b.json without asking here",
        "~/app/.claude/settings.json: a PreToolUse hook can answer before anything is asked here",
        "~/app/.claude/settings.local.json: the mode is bypassPermissions, so everything is allowed without asking here",
      ])
  }

  @Test(
    "Every mode that answers without asking here is named, also an unknown one",
    arguments: [
      ("default", nil), ("plan", nil), ("auto", "the agent allows most of what it does"),
      ("acceptEdits", "changes to files"), ("newMode", "which is not known here"),
      ("\\u001b", "which is not known here"),
    ] as [(String, String?)])
  func modes(_ mode: String, _ words: String?) throws {
    try trial.file(".claude/settings.json", #"{"permissions": {"defaultMode": "\#(mode)"}}"#)
    #expect(sentences(.claude).count == (words == nil ? 0 : 1))
    if let words { #expect(sentences(.claude).first?.contains(words) == true, "\(sentences(.claude))") }
  }

  @Test("A sandbox in which nothing is asked, and further folders, are named")
  func sandbox() throws {
    try trial.file(
      ".claude/settings.json",
      #"{"sandbox": {"enabled": true, "excludedCommands": ["docker"]}, "permissions": {"additionalDirectories": ["/srv"]}}"#
    )
    #expect(
      sentences(.claude) == [
        "~/.claude/settings.json: commands in the agent's sandbox are allowed without asking here",
        "~/.claude/settings.json: outside of its sandbox it runs docker",
        "~/.claude/settings.json: it also works in /srv",
      ])
    try trial.file(
      ".claude/settings.json", #"{"sandbox": {"enabled": true, "autoAllowBashIfSandboxed": false}}"#)
    #expect(sentences(.claude).isEmpty)
    try trial.file(
      ".claude/settings.json", #"{"sandbox": {"enabled": false, "excludedCommands": ["docker"]}}"#)
    #expect(sentences(.claude).isEmpty)
  }

  @Test(
    "Settings of git that run programs are named: those of the project, and the person's own that lead into it"
  )
  func git() throws {
    try trial.file("app/.git/config", "[core]\n\tfsmonitor = ./fsm.sh\n[user]\n\tname = Ana\n")
    try trial.file(
      ".gitconfig", "[core]\n\teditor = vi\n\thooksPath = .githooks\n[include]\n\tpath = ~/work\n")
    let expected = [
      "~/app/.git/config: git runs or reads what core.fsmonitor names: ./fsm.sh",
      "~/.gitconfig: git runs or reads what core.hookspath names: .githooks",
    ]
    #expect(sentences(.claude) == expected)
    #expect(sentences(.codex) == expected)
  }

  @Test("Settings without such rules, and our own hooks, are not mentioned")
  func harmless() throws {
    try trial.file(
      ".claude/settings.json",
      #"{"permissions": {"allow": [], "defaultMode": "default"}, "hooks": {"PreToolUse": []}}"#)
    try trial.run(.claude, .write)
    #expect(sentences(.claude) == [])
  }

  @Test("A project's settings are not followed through links, and not read without end")
  func hostile() throws {
    try Folder.make(trial.path("app/.claude"))
    try trial.file("secret.json", #"{"permissions": {"allow": ["secret"]}}"#)
    symlink(trial.path("secret.json"), trial.path("app/.claude/settings.json"))
    mkfifo(trial.path("app/.claude/settings.local.json"), 0o600)
    #expect(
      sentences(.claude) == [
        "~/app/.claude/settings.json cannot be read, so its rules are not known",
        "~/app/.claude/settings.local.json cannot be read, so its rules are not known",
      ])
    try trial.file("app/.claude/settings.json", String(repeating: " ", count: 1 << 20) + "{}")
    #expect(
      sentences(.claude).first == "~/app/.claude/settings.json cannot be read, so its rules are not known")
    try trial.file("app/.claude/settings.json", "{")
    #expect(sentences(.claude).first == "~/app/.claude/settings.json cannot be read as JSON")
  }

  @Test(
    "A hook that only looks like ours is not ours",
    arguments: ["bin/permtui hook", "permtui hook", "'/tmp/permtui' hook", "ours"])
  func lookalike(command: String) throws {
    let command = command == "ours" ? "'\(trial.home)/bin/permtui' hook" : command
    let text = ["PermissionRequest", "PreToolUse"].map {
      #""\#($0)": [{"hooks": [{"type": "command", "command": "\#(command)"}]}]"#
    }.joined(separator: ", ")
    try trial.file("app/.claude/settings.json", "{\"hooks\": {\(text)}}")
    let both = [
      "a PreToolUse hook can answer before anything is asked here",
      "another PermissionRequest hook can answer first",
    ]
    #expect(sentences(.claude) == both.map { "~/app/.claude/settings.json: \($0)" })
    Files.remove(trial.path("app/.claude/settings.json"))
    try trial.file(".claude/settings.json", "{\"hooks\": {\(text)}}")
    let isOurs = command.contains(trial.home)
    #expect(sentences(.claude) == (isOurs ? [] : both.map { "~/.claude/settings.json: \($0)" }))
  }

  @Test("Text from the settings is shown escaped, as a warning")
  func escaped() throws {
    try trial.file("app/.claude/settings.json", #"{"permissions": {"allow": ["\u001b[2J\u202e"]}}"#)
    let run = try trial.run(.claude)
    #expect(!run.messages.contains("\u{1b}"))
    #expect(
      run.messages.contains(#"! ~/app/.claude/settings.json: allows \u{1b}[2J\u{202e} without"#),
      "\(run.messages)")
  }

  @Test("A policy of Codex that never asks is named, and a hook that was not reviewed")
  func codex() throws {
    try trial.run(.codex, .write)
    let untrusted = "Codex does not run the hook until you have reviewed it: type /hooks in Codex"
    #expect(sentences(.codex) == [untrusted])
    try trial.file(
      ".codex/config.toml",
      """
      # approval_policy = "never"
      approval_policy = 'never' # for now
      [profiles.fast]
      sandbox_mode="danger-full-access"
      [hooks.state."\(trial.home)/.codex/hooks.json:permission_request:0:0"]
      trusted_hash = "sha256:12"
      """)
    #expect(
      sentences(.codex) == [
        "~/.codex/config.toml: approval_policy is \"never\", so nothing is asked here",
        "~/.codex/config.toml: sandbox_mode is \"danger-full-access\" in [profiles.fast], so most is done without asking here",
      ])
    try trial.file("app/.codex/config.toml", "approval_policy = \"never\"\n")
    #expect(sentences(.codex).last?.hasPrefix("~/app/.codex/config.toml: ") == true)
  }

  @Test(
    "Settings of Codex that are not plainly set are named, and plain ones that ask are not",
    arguments: [
      ("profiles.x.approval_policy = \"never\"", 1), ("profiles = { x = { sandbox_mode = 'read-only' } }", 1),
      ("approval_policy = \"\"\"never\"\"\"", 1), ("'approval_policy' = \"on-request\"", 1),
      ("\"approval\\u005fpolicy\" = \"never\"", 1), ("[approval_policy.granular]", 1),
      ("approval_policy = \"other\"", 1), ("[hooks]", 1),
      ("approval_policy = \"on-request\" # usual", 0), ("  sandbox_mode='workspace-write'", 0),
      ("# approval_policy = \"never\"", 0),
    ])
  func odd(line: String, count: Int) throws {
    try trial.file("app/.codex/config.toml", "model = \"o\"\n\(line)\n")
    #expect(sentences(.codex).count == count, "\(sentences(.codex))")
  }

  @Test("Settings of Codex that cannot be read, rules and a project's hooks are named")
  func codexFiles() throws {
    try trial.file("secret.toml", "approval_policy = \"never\"\n")
    try Folder.make(trial.path("app/.codex"))
    symlink(trial.path("secret.toml"), trial.path("app/.codex/config.toml"))
    try Folder.make(trial.path(".codex/rules"))
    let linked = ["~/app/.codex/config.toml cannot be read, so its rules are not known"]
    #expect(sentences(.codex) == linked)
    try trial.file("app/.codex/config.toml", String(repeating: "#", count: 1 << 20))
    #expect(sentences(.codex) == linked)
    try trial.file(".codex/rules/default.rules", "")
    try trial.file("app/.codex/hooks.json", "{}")
    #expect(
      sentences(.codex) == [
        "~/.codex/rules: its rules may allow commands without asking here", linked[0],
        "~/app/.codex/hooks.json: the project's hooks can answer before anything is asked here",
      ])
  }
}

@Suite("The doctor's look at connected programs")
struct ConnectionCheckupTests {
  private let trial: ConnectTrial

  init() throws { trial = try ConnectTrial() }

  private var findings: [String] {
    ConnectionCheckup(trial.places).findings.map { "\($0.level.rawValue) \($0.what)" }
  }

  @Test("Programs that are not connected are listed in one line")
  func none() {
    #expect(findings == ["ok not connected: claude, codex, deno, ssh, git, tmux, notify, portal"])
  }

  @Test("Connected programs are listed with their settings")
  func connected() throws {
    for program in [ConnectableProgram.claude, .deno, .ssh, .tmux] { try trial.run(program, .write) }
    #expect(
      findings == [
        "ok claude asks here (~/.claude/settings.json)",
        "ok deno asks here (~/.config/environment.d/60-permtui-deno.conf)",
        "ok ssh asks here (~/.config/systemd/user/ssh-agent.service.d/60-permtui.conf)",
        "ok tmux asks here (~/.tmux.conf)", "ok not connected: codex, git, notify, portal",
      ])
  }

  @Test("Without a broker, it is said that Deno does not start; of ssh, which agents ask here")
  func advice() throws {
    for program in [ConnectableProgram.deno, .ssh] { try trial.run(program, .write) }
    let findings = ConnectionCheckup(trial.places).findings
    let advice = { (start: String) in findings.first { $0.what.hasPrefix(start) }?.advice ?? "" }
    #expect(advice("deno asks here").contains("exit status 87"))
    #expect(advice("ssh asks here").contains("ssh-agent that systemd has started"))
  }

  @Test("The rules of folders in which agents have worked are found, wherever the command was started")
  func folders() throws {
    try trial.run(.claude, .write)
    try trial.run(.codex, .write)
    try trial.file("other/.claude/settings.json", #"{"permissions": {"allow": ["Bash"]}}"#)
    try trial.file("other/.codex/hooks.json", "{}")
    let folders = [trial.path("other"), trial.path("app")]
    let found = ConnectionCheckup(trial.places, folders: folders).findings.map(\.what)
    #expect(found.contains("~/other/.claude/settings.json: allows Bash without asking here"))
    #expect(found.contains { $0.hasPrefix("~/other/.codex/hooks.json: the project's hooks can answer") })
    #expect(found.count == findings.count + 2)
  }

  @Test("A program that is gone, that others can write, or that is another copy, is found")
  func wrong() throws {
    try trial.file("old/permtui", "", mode: 0o755)
    var places = trial.places
    places.program = trial.path("old/permtui")
    try trial.run(.claude, .write, places: places)
    #expect(findings.first?.hasPrefix("warning claude runs another permtui than this one") == true)
    try Files.setMode(places.program, 0o777)
    #expect(findings.first?.contains("others can write to") == true)
    Files.remove(places.program)
    #expect(
      findings.first?.hasPrefix("problem claude runs \(places.program), but there is no such file") == true)
  }

  @Test("A hook without a whole path is a problem")
  func relative() throws {
    try trial.run(.claude, .write)
    let text = try #require(trial.text(".claude/settings.json"))
    try trial.file(
      ".claude/settings.json",
      text.replacingOccurrences(of: "'\(trial.home)/bin/permtui'", with: "bin/permtui"))
    #expect(findings.first?.hasPrefix("problem claude runs bin/permtui, which is no whole path") == true)
  }

  @Test("Git's setting for another folder of hooks is a warning")
  func hooksPath() throws {
    try Folder.make(trial.path("app/.git/hooks"))
    try trial.run(.git, .write)
    #expect(findings.contains { $0.hasPrefix("ok git asks here") })
    try trial.file("app/.git/config", "[core]\n\thooksPath = /tmp\n")
    #expect(findings.contains { $0.hasPrefix("warning ") && $0.contains("sets core.hooksPath") })
    #expect(!findings.contains { $0.hasPrefix("ok git asks here") })
  }

  @Test("A connection in part, and rules that do not ask, are warnings")
  func part() throws {
    try trial.run(.claude, .write)
    var text = try #require(trial.text(".claude/settings.json"))
    text = text.replacingOccurrences(of: "\"SessionEnd\"", with: "\"Other\"")
    try trial.file(
      ".claude/settings.json",
      text.replacingOccurrences(of: "{\n  \"hooks\"", with: "{\n  \"disableAllHooks\": true,\n  \"hooks\""))
    #expect(
      findings.prefix(2) == [
        "warning claude is connected only in part (~/.claude/settings.json)",
        "warning ~/.claude/settings.json: disableAllHooks is set, so nothing is asked here",
      ])
  }

  @Test("Settings that cannot be read are a warning, with the line")
  func unreadable() throws {
    try trial.file(".claude/settings.json", "{\n")
    #expect(
      findings.first?.hasPrefix("warning claude: \(trial.home)/.claude/settings.json, line 2: ") == true)
  }
}
