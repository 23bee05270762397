import Foundation
import PermModel
import Testing

@testable import PermBroker

/// The messages of Claude Code 2.1.330 and Codex 0.163.0, as recorded in `Messages`.
enum RecordedMessages {
  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Messages")
    return Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  static func message(_ name: String) throws -> HookMessage { try HookMessage(bytes(name)) }
}

@Suite("Messages of coding agents")
struct HookMessageTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var name: String
    var capability: String
    var values: [String]
    var reason: String?
    var details: String?
    var testDescription: String { name }

    init(
      _ name: String, _ capability: String, _ values: [String], reason: String? = nil, details: String? = nil
    ) {
      (self.name, self.capability, self.values) = (name, capability, values)
      (self.reason, self.details) = (reason, details)
    }
  }

  static let questions = [
    Expected("claude-bash", "commands", ["run@touch x && echo yes"], reason: "Make a file"),
    Expected(
      "claude-bash-background", "commands", ["run@npm run dev"], details: #""run_in_background": true"#),
    Expected("claude-write", "files", ["write@/home/ana/proj/notes.md"], details: "# Notes\n\nTwo lines."),
    Expected(
      "claude-edit", "files", ["write@/home/ana/proj/main.swift"],
      details: "\"replace_all\": true\n-let a = 1\n-let b = 2\n+let a = 3"),
    Expected(
      "claude-multi-edit", "files", ["write@/home/ana/proj/main.swift"],
      details: "@@ 1 of 2 @@\n-one\n+two\n@@ 2 of 2 @@\n-three"),
    Expected(
      "claude-notebook", "files", ["write@/home/ana/proj/plot.ipynb"],
      details:
        "\"cell_id\": \"c3\"\n\"cell_type\": \"code\"\n\"edit_mode\": \"replace\"\n+import os\n+print(1)"),
    Expected("claude-read", "files", ["read@/etc/hosts"]),
    Expected("claude-glob", "files", ["read@/home/ana/other/"], details: #""pattern": "**/*.swift""#),
    Expected(
      "claude-grep", "files", ["read@./"],
      details: "\"-n\": true\n\"output_mode\": \"content\"\n\"pattern\": \"TODO\""),
    Expected("claude-ls", "files", ["read@/home/ana"]),
    Expected(
      "claude-web-fetch", "network", ["connect@docs.swift.org:8443"],
      details: "address: https://Docs.Swift.org:8443/book?x=1#top\n\"prompt\": \"What is new?\""),
    Expected("claude-web-search", "tools", ["use@WebSearch"], details: #""query": "swift 6.3""#),
    Expected(
      "claude-mcp", "tools", ["use@mcp__tickets__close"],
      details:
        "\"comment\": \"done\\nand dusted\"\n\"notify\": true\n\"number\": 12\n\"tags\": [\"a\",\"b\"]\n\"weight\": 0.5"
    ),
    Expected("codex-bash", "commands", ["run@git fetch origin"], reason: "Fetch the newest commits"),
    Expected(
      "codex-patch", "files",
      ["src/main.rs", "src/lib.rs", "new.txt", "old.txt"].map { "write@/home/ana/proj/\($0)" },
      details: """
        *** Begin Patch
        *** Update File: /home/ana/proj/src/main.rs
        *** Move to: /home/ana/proj/src/lib.rs
        @@
        -fn a() {}
        +fn b() {}
        *** Add File: /home/ana/proj/new.txt
        +hello
        *** Delete File: /home/ana/proj/old.txt
        *** End Patch
        """),
    Expected(
      "codex-patch-relative", "files",
      ["src/main.rs", "src/lib.rs", "/home/ana/proj/new.txt", "old.txt"].map { "write@\($0)" },
      details: """
        *** Begin Patch
        *** Update File: src/main.rs
        *** Move to: src/lib.rs
        @@
        -fn a() {}
        +fn b() {}
        *** Add File: /home/ana/proj/new.txt
        +hello
        *** Delete File: old.txt
        *** End Patch
        """),
    Expected(
      "codex-mcp", "tools", ["use@mcp__files__list"], details: #""agent_type": "explorer""#),
  ]

  @Test("become a question about the capability and the values that they are about", arguments: questions)
  func question(_ expected: Expected) throws {
    let message = try RecordedMessages.message(expected.name)
    #expect(message.event == .permissionRequest)
    #expect(message.folder == "/home/ana/proj")
    let question = try #require(try AgentQuestion(message))
    #expect(question.label == String(expected.name.prefix { $0 != "-" }))
    #expect(question.capability == expected.capability)
    #expect(question.texts == expected.values)
    #expect(question.reason == expected.reason)
    #expect(question.details == expected.details.map { ShownDetails($0) })
    #expect(question.group == message.session)
    #expect(question.group != nil)
  }

  @Test("that ask for more than a yes are left to the agent", arguments: ["claude-question", "claude-plan"])
  func dialogs(_ name: String) throws {
    #expect(try AgentQuestion(try RecordedMessages.message(name)) == nil)
  }

  @Test(
    "of Codex that do not say whether they are about a line or a connection are unclear",
    arguments: ["codex-network", "codex-network-command"])
  func unclear(_ name: String) throws {
    let message = try RecordedMessages.message(name)
    #expect(throws: UnaskedReason.unclear) { try AgentQuestion(message) }
  }

  @Test("about a line of Codex, or about relative paths, say that it is not known which folder is meant")
  func folderUnknown() throws {
    for expected in Self.questions {
      let question = try #require(try AgentQuestion(try RecordedMessages.message(expected.name)))
      let isRelative = expected.name == "codex-patch-relative"
      #expect(question.isFolderUnknown == (expected.name == "codex-bash" || isRelative), "\(expected.name)")
      #expect(question.isOnceOnly == isRelative, "\(expected.name)")
    }
  }

  private static func patch(_ members: String, _ rest: String = #","turn_id":"1","cwd":"/home/ana""#)
    -> String
  {
    #"{"hook_event_name":"PermissionRequest","tool_name":"apply_patch","tool_input":{\#(members)}\#(rest)}"#
  }

  @Test("about a patch of Codex belong to the folder that its input names", arguments: ["workdir", "cwd"])
  func patchFolder(_ member: String) throws {
    let text = Self.patch(#""command":"*** Add File: a\n+x","\#(member)":"/srv""#)
    let question = try #require(try AgentQuestion(try HookMessage(Array(text.utf8))))
    #expect(question.folder == "/srv" && !question.isFolderUnknown && !question.isOnceOnly)
    #expect(question.texts == ["write@a"])
    #expect(question.details?.text.contains("/srv") == true, "the person reads where")
  }

  @Test(
    "about a patch whose relative paths belong to no folder, or to one that is relative itself, are unclear",
    arguments: [
      (#""command":"*** Add File: a""#, #","turn_id":"1""#),
      (#""command":"*** Add File: a""#, #","turn_id":"1","cwd":"home""#),
      (#""command":"*** Add File: a","workdir":"srv""#, #","turn_id":"1","cwd":"/home/ana""#),
      (#""command":"*** Add File: a","workdir":7"#, #","turn_id":"1","cwd":"/home/ana""#),
      (#""command":"*** Add File: a/../../b""#, #","turn_id":"1","cwd":"/home/ana""#),
      (#""command":"*** Add File: ~/b""#, #","turn_id":"1","cwd":"/home/ana""#),
      (#""command":"*** Add File: a""#, #","cwd":"/home/ana""#),
    ])
  func patchWithoutFolder(_ members: String, _ rest: String) {
    #expect(throws: UnaskedReason.unclear) {
      try AgentQuestion(try HookMessage(Array(Self.patch(members, rest).utf8)))
    }
  }

  @Test("about a line of Codex that name its folder are about that folder", arguments: ["workdir", "cwd"])
  func folder(_ member: String) throws {
    let text =
      #"{"hook_event_name":"PermissionRequest","turn_id":"1","cwd":"/home/ana","tool_name":"Bash","tool_input":{"command":"ls","MEMBER":"/srv"}}"#
    let question = try AgentQuestion(try HookMessage(Array(text.replacing("MEMBER", with: member).utf8)))
    #expect(question?.folder == "/srv")
    #expect(question?.isFolderUnknown == false && question?.isOnceOnly == false)
    let relative = text.replacing("MEMBER", with: member).replacing("/srv", with: "srv")
    #expect(throws: UnaskedReason.unclear) { try AgentQuestion(try HookMessage(Array(relative.utf8))) }
  }

  @Test("about a search in a single file are about that file, not about a folder")
  func searchedFile() throws {
    let text =
      #"{"hook_event_name":"PermissionRequest","tool_name":"Grep","tool_input":{"pattern":"a","path":"PLACE"}}"#
    for (place, read) in [("/etc/passwd", "/etc/passwd"), ("/etc", "/etc/"), ("/no/such", "/no/such/")] {
      let message = try HookMessage(Array(text.replacing("PLACE", with: place).utf8))
      let scope = try AgentQuestion(message)?.values.first?.scope.spelledPath()
      let wanted = try SpelledPath(Array(place.utf8), isFolder: read.hasSuffix("/"))
      #expect(scope == wanted, "\(place)")
    }
  }

  @Test("tell that a tool was used, or that the turn has ended")
  func events() throws {
    for (name, event) in [
      ("claude-post", .toolEnded), ("claude-post-failure", .toolEnded), ("codex-post", .toolEnded),
      ("claude-stop", .turnEnded),
      ("claude-prompt", .turnEnded), ("claude-session-end", .turnEnded), ("codex-stop", .turnEnded),
      ("claude-notification", .other),
    ] as [(String, HookMessage.Event)] {
      #expect(try RecordedMessages.message(name).event == event, "\(name)")
    }
  }

  @Test("about the same use of a tool have the same mark, and only those")
  func marks() throws {
    for agent in ["claude", "codex"] {
      let asked = try RecordedMessages.message("\(agent)-bash")
      #expect(try RecordedMessages.message("\(agent)-post").mark == asked.mark)
      #expect(asked.mark.utf8.count == 64)
    }
    #expect(
      try RecordedMessages.message("claude-post-failure").mark == RecordedMessages.message("claude-bash").mark
    )
    let marks = try Self.questions.map { try RecordedMessages.message($0.name).mark }
    #expect(Set(marks).count == marks.count)
  }
}
