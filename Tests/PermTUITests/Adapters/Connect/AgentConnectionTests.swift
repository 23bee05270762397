import Foundation
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Connecting an agent")
struct AgentConnectionTests {
  private let trial: ConnectTrial
  private let settings = ".claude/settings.json"

  init() throws { trial = try ConnectTrial() }

  private var command: String { "'\(trial.home)/bin/permtui' hook; exit $?" }

  @Test("Without --write the change is shown, and nothing is changed")
  func show() throws {
    let run = try trial.run(.claude)
    #expect(
      run.output.hasPrefix("~/.claude/settings.json: a new file\n  + {\n  +   \"hooks\": {\n"),
      "\(run.output)")
    #expect(run.output.contains("  +             \"timeout\": 86400\n"))
    #expect(
      run.messages.hasPrefix(
        """
        ~/.claude/settings.json: +68 -0 lines
        Nothing is changed yet. 'permtui connect claude --write' makes this change:
        """), "\(run.messages)")
    #expect(trial.names(in: "") == ["app", "bin", "state"])
  }

  @Test("New settings have one hook for each event that the agent tells")
  func newFile() throws {
    try trial.run(.claude, .write)
    let text = try #require(trial.text(settings))
    #expect(
      text.hasPrefix(
        """
        {
          "hooks": {
            "PermissionRequest": [
              {
                "matcher": "*",
                "hooks": [
                  {
                    "type": "command",
                    "command": "\(command)",
                    "timeout": 86400
                  }
                ]
              }
            ],
            "PostToolUse": [

        """), "\(text)")
    let document = try JSONDocument(Array(text.utf8))
    #expect(
      AgentHooks.places(in: document).map(\.event)
        == [
          "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop", "UserPromptSubmit", "SessionEnd",
        ])
    #expect(FileStatus(trial.path(settings))?.mode == 0o600)
  }

  /// Settings as people have them, in different layouts.
  static let written = [
    "{}\n", "{}", "{\n}\n", "{\n  \"model\": \"opus\"\n}\n", "{\"z\":1,\"a\":[1,2]}", "{ \"z\": 1 }\n",
    "{\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(ls)\"]\n\t},\n\t\"env\": {}\n}",
    "{\r\n    \"z\": 1.50e3,\r\n    \"a\": \"\\u00e9\\ud83d\\ude00\"\r\n}\r\n",
    "{\n  \"hooks\": {},\n  \"b\": null\n}\n", "{\n  \"hooks\": {\"Stop\": []}\n}\n",
    """
    {
      "hooks": {
        "Stop": [
          { "hooks": [ { "type": "command", "command": "notify-send done" } ] }
        ],
        "PreToolUse": []
      },
      "z": true
    }

    """,
  ]

  @Test("An added hook is taken back to the byte, whatever the layout", arguments: written)
  func roundTrip(text: String) throws {
    try trial.file(settings, text, mode: 0o640)
    let run = try trial.run(.claude, .write)
    #expect(run.error == nil)
    let connected = try #require(trial.text(settings))
    #expect(AgentHooks.places(in: try JSONDocument(Array(connected.utf8))).count == 6)
    #expect(FileStatus(trial.path(settings))?.mode == 0o640)
    let backups = trial.names(in: ".claude").filter {
      $0.hasPrefix("settings.json.before-permtui-2026-11-21T")
    }
    #expect(backups.count == 1)
    #expect(backups.first.flatMap { trial.text(".claude/\($0)") } == text)
    try trial.run(.claude, .remove)
    #expect(trial.text(settings) == text)
  }

  @Test("Writing twice adds nothing and keeps no second copy")
  func twice() throws {
    try trial.file(settings, Self.written[3])
    try trial.run(.claude, .write)
    let (text, names) = (trial.text(settings), trial.names(in: ".claude"))
    let run = try trial.run(.claude, .write)
    #expect(run.output.isEmpty)
    #expect(run.messages.contains("already connected"))
    #expect(trial.text(settings) == text)
    #expect(trial.names(in: ".claude") == names)
  }

  @Test("Settings that were made are removed, and nothing is left of them")
  func removeNew() throws {
    try trial.run(.claude, .write)
    let run = try trial.run(.claude, .remove)
    #expect(run.output.hasPrefix("~/.claude/settings.json: is removed\n"))
    #expect(trial.names(in: ".claude") == [])
    let again = try trial.run(.claude, .remove)
    #expect(again.error?.status == .denied)
  }

  @Test("Only our hooks are removed after the person has edited around them")
  func edited() throws {
    try trial.run(.claude, .write)
    var text = try #require(trial.text(settings))
    let ours = "{\n            \"type\": \"command\",\n            \"command\": \"\(command)\"\n          }"
    let theirs = "{\"type\": \"command\", \"command\": \"my hook\"}"
    let place = try #require(text.range(of: ours))
    text.replaceSubrange(place, with: "\(theirs), \(ours)")
    text = text.replacingOccurrences(of: "{\n  \"hooks\"", with: "{\n  \"model\": \"opus\",\n  \"hooks\"")
    try trial.file(settings, text)
    try trial.run(.claude, .remove)
    #expect(
      trial.text(settings)
        == """
        {
          "model": "opus",
          "hooks": {
            "PostToolUse": [
              {
                "matcher": "*",
                "hooks": [
                  \(theirs)
                ]
              }
            ]
          }
        }

        """)
  }

  @Test(
    "Settings that nobody has changed since are the same as before, byte for byte",
    arguments: [
      "{ }", "{}\n\n", "{\n}\n", "{\"hooks\": { }}", "{\"hooks\" :{\"Stop\": [ ]}, \"a\" : 1 }",
      "{\r\n\t\"a\":1\r\n}",
    ])
  func sameBytes(_ text: String) throws {
    try trial.file(settings, text)
    try trial.run(.claude, .write)
    #expect(trial.text(settings) != text)
    // A second change, as after a move of permtui, does not count as one of the person's.
    let written = try #require(trial.text(settings))
    try trial.run(.claude, .write)
    #expect(trial.text(settings) == written)
    try trial.run(.claude, .remove)
    #expect(trial.text(settings) == text)
  }

  @Test("A file in which an earlier version had put its hooks is not the one to go back to")
  func earlierVersion() throws {
    try trial.run(.claude, .write)
    let text = try #require(trial.text(settings)).replacingOccurrences(of: "; exit $?", with: "")
    Files.remove("\(trial.places.state)/\(ConnectionRecord.fileName)")
    try trial.file(settings, text)
    try trial.run(.claude, .write)
    try trial.run(.claude, .remove)
    #expect(trial.text(settings)?.contains("permtui") != true)
  }

  @Test("Settings that the person has changed since keep that change")
  func changedSince() throws {
    try trial.file(settings, "{ \"a\": 1 }")
    try trial.run(.claude, .write)
    let written = try #require(trial.text(settings))
    try trial.file(settings, written.replacingOccurrences(of: "\"a\": 1", with: "\"a\": 2"))
    try trial.run(.claude, .remove)
    #expect(trial.text(settings)?.contains("\"a\": 2") == true)
    #expect(trial.text(settings)?.contains("permtui") == false)
  }

  @Test("A hook that runs another copy of permtui is corrected in its place")
  func moved() throws {
    try trial.run(.claude, .write)
    let text = try #require(trial.text(settings))
    try trial.file(settings, text.replacingOccurrences(of: command, with: "/old/permtui hook"))
    try trial.run(.claude, .write)
    #expect(trial.text(settings) == text)
  }

  @Test("A line whose shell would be gone while the hook asks is corrected, and --remove takes both away")
  func keptShell() throws {
    try trial.run(.claude, .write)
    let text = try #require(trial.text(settings))
    #expect(text.contains("' hook; exit $?\""))
    let earlier = text.replacingOccurrences(of: "; exit $?", with: "")
    try trial.file(settings, earlier)
    try trial.run(.claude, .write)
    #expect(trial.text(settings) == text)
    try trial.file(settings, earlier)
    try trial.run(.claude, .remove)
    #expect(trial.text(settings) == nil)
  }

  @Test("A hook that names the folder of the sockets is one of ours, and keeps it")
  func sockets() throws {
    try trial.run(.claude, .write)
    let text = try #require(trial.text(settings))
    let call = "'\(trial.home)/bin/permtui' hook"
    let named = text.replacingOccurrences(of: call, with: "\(call) --sockets '/run/other'")
    for program in [call, "/old/permtui hook"] {
      try trial.file(settings, named.replacingOccurrences(of: call, with: program))
      try trial.run(.claude, .write)
      #expect(trial.text(settings) == named)
    }
    #expect(AgentHooks.program(of: "/usr/bin/permtui hook --sockets /run/a") == "/usr/bin/permtui")
    #expect(AgentHooks.program(of: "/usr/bin/permtui hook --sockets /run/a; exit $?") == "/usr/bin/permtui")
    for end in [
      " --sockets", " --sockets ", " --sockets a", " --sockets /a b", " --sockets /a; ls", " -x", "; exit 1",
      "; exit $?; ls", "; exit $?; exit $?",
    ] {
      #expect(AgentHooks.program(of: "/usr/bin/permtui hook\(end)") == nil, "\(end)")
    }
  }

  @Test(
    "Settings that do not parse are left alone, and the line is named",
    arguments: [
      ("{\n  // mine\n}\n", 2), ("{\"a\": 1,}", 1), ("{\n\"a\": 1\n\"b\": 2}", 3), ("[]", 1),
      ("{\n\n\"hooks\": 1}", 3),
      ("{\"hooks\": {\n\"Stop\": {}}}", 2), ("{} x", 1), ("", 1), ("{\"a\": \"\n\"}", 1), ("{\"a\": 0x1}", 1),
      ("\u{feff}{}", 1), (String(repeating: "[", count: 100_000), 1),
    ])
  func unreadable(text: String, line: Int) throws {
    try trial.file(settings, text)
    let run = try trial.run(.claude, .write)
    let message = try #require(run.error?.message)
    #expect(message.contains("settings.json, line \(line): "), "\(message)")
    #expect(trial.text(settings) == text)
    #expect(trial.names(in: ".claude") == ["settings.json"])
  }

  @Test("Of several members with one name, only the last one is changed, as it is the one that counts")
  func duplicates() throws {
    let ours = #"[{"hooks": [{"type": "command", "command": "/old/permtui hook"}]}]"#
    let text = #"{"hooks": 1, "hooks": {"Stop": \#(ours), "Stop": []}}"#
    try trial.file(settings, text)
    try trial.run(.claude, .write)
    #expect(trial.text(settings)?.contains("/old/permtui") == true)
    try trial.run(.claude, .remove)
    #expect(trial.text(settings) == text)
  }

  @Test("Codex gets the one event that it needs, with a time in which its dialog comes back")
  func codex() throws {
    let run = try trial.run(.codex, .write)
    let text = try #require(trial.text(".codex/hooks.json"))
    #expect(text.contains("\"timeout\": 120"))
    #expect(AgentHooks.places(in: try JSONDocument(Array(text.utf8))).map(\.event) == ["PermissionRequest"])
    #expect(run.messages.contains("/hooks"))
    #expect(run.messages.contains("Esc in Codex"))
  }
}
