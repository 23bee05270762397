import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("Messages that could be misunderstood are left to the agent")
struct UnclearMessageTests {
  private static func message(_ tool: String, _ input: String) throws -> HookMessage {
    try HookMessage(
      Array(#"{"hook_event_name":"PermissionRequest","tool_name":"\#(tool)","tool_input":\#(input)}"#.utf8))
  }

  private static func json(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  @Test(
    "Text that is no message cannot be read",
    arguments: [
      "", "{", "[]", "null", "7", #""text""#, "{}", #"{"hook_event_name":1}"#,
      #"{"hook_event_name":"Stop"} {}"#,
      #"{"hook_event_name":"\ud800"}"#, "\u{0}", "\u{feff}{",
      String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
    ])
  func unreadable(_ text: String) {
    #expect(throws: UnaskedReason.unreadable) { try HookMessage(Array(text.utf8)) }
  }

  @Test(
    "A message with a member that comes twice, at any depth and in any spelling, cannot be read",
    arguments: [
      #""command":"ls","command":"rm -rf /""#, #""command":"ls","\u0063ommand":"rm""#,
      #""command":"ls","x":[{"a":1,"a":1}]"#, #""command":"ls"},"tool_input":{"command":"rm""#,
    ])
  func repeated(_ members: String) {
    #expect(throws: UnaskedReason.unreadable) { try Self.message("Bash", "{\(members)}") }
  }

  @Test(
    "A number that no JSON writer makes, and half a character, cannot be read",
    arguments: ["01", "1e999", "+1", "0x1", "1.e", "NaN", #""\udc00""#, #""\u+12a""#])
  func lenient(_ value: String) {
    #expect(throws: UnaskedReason.unreadable) { try Self.message("Bash", #"{"command":"ls","x":\#(value)}"#) }
  }

  @Test("Bytes that are not UTF-8 cannot be read, and too many bytes are not read")
  func bytes() {
    #expect(throws: UnaskedReason.unreadable) {
      try HookMessage(Array(#"{"hook_event_name":"Stop","x":""#.utf8) + [0xff] + Array(#""}"#.utf8))
    }
    #expect(throws: UnaskedReason.tooLong) {
      try HookMessage([UInt8](repeating: 0x20, count: HookMessage.longest + 1))
    }
  }

  @Test(
    "A tool whose input is not the usual one is unclear",
    arguments: [
      ("Bash", "{}"), ("Bash", #"{"command":""}"#), ("Bash", #"{"command":["ls"]}"#), ("Bash", "null"),
      ("Bash", #"{"command":"a\u0000b"}"#), ("Bash", #"{"command":"a","description":"x\u0000"}"#),
      ("Bash", #"{"description":"network-access "}"#), ("Bash", #"{"description":"network-access a b"}"#),
      ("Bash", #"{"command":null,"description":"network-access a.example"}"#),
      ("Write", #"{"file_path":"/a"}"#), ("Write", #"{"content":"a"}"#),
      ("Write", #"{"file_path":"/a","content":7}"#),
      ("Write", #"{"file_path":"/a","content":"\u0000"}"#), ("Edit", #"{"file_path":"/a"}"#),
      ("Edit", #"{"file_path":"/a","old_string":"x"}"#), ("MultiEdit", #"{"file_path":"/a","edits":[]}"#),
      ("MultiEdit", #"{"file_path":"/a","edits":[{"old_string":"x"}]}"#), ("Read", "{}"), ("", "{}"),
      ("apply_patch", "{}"), ("apply_patch", #"{"command":"*** Begin Patch\n*** End Patch"}"#),
      ("apply_patch", #"{"command":"*** Add File: \n+x"}"#),
      ("apply_patch", #"{"command":"*** Add File: a"}"#),
      ("apply_patch", #"{"command":"*** Add File: /a\n*** Delete File: b"}"#),
      ("Glob", #"{"pattern":"/etc/**"}"#),
      ("Glob", #"{"pattern":"../**"}"#), ("Glob", #"{"pattern":"~/**"}"#),
      ("Grep", #"{"pattern":"x","glob":"/etc/*"}"#), ("Glob", #"{"pattern":"{/etc/*,x}"}"#),
      ("Glob", #"{"pattern":"a{x,~/y}"}"#), ("Grep", #"{"pattern":"x","glob":"{x,/etc/*}"}"#),
      ("Grep", #"{"pattern":"x","path":7}"#),
    ])
  func input(_ tool: String, _ input: String) throws {
    let message = try Self.message(tool, input)
    #expect(throws: UnaskedReason.unclear) { try AgentQuestion(message) }
  }

  @Test(
    "A path that Claude Code changes before it opens it is unclear",
    arguments: [
      "", " /etc/passwd", "/etc/passwd ", "/etc/passwd\n", "\u{feff}/a", "~", "~/.ssh/id_ed25519", "/a/../b",
      "..",
      "a/..", "..\u{2f}\u{338}x", "/home/ana/cafe\u{301}", "\u{a0}/a",
    ])
  func path(_ path: String) throws {
    for (tool, name) in [("Read", "file_path"), ("LS", "path"), ("Glob", "path")] {
      let message = try Self.message(tool, #"{"pattern":"*","\#(name)":\#(try Self.json(path))}"#)
      #expect(throws: UnaskedReason.unclear) { try AgentQuestion(message) }
    }
  }

  @Test(
    "An address that could lead to another host is unclear",
    arguments: [
      "https://user@evil.example/", "https://good.example\\@evil.example/",
      "https://good.example%2f@evil.example",
      "https:///evil.example", "https:evil.example", "https:/evil.example", "ftp://a.example", "//a.example",
      "a.example",
      "https://a.example:0", "https://a.example:99999", "https://a.example:+1", "https://a.example:",
      "https://*.a.example",
      "https://*", " https://a.example", "https://a\t.example", "https://a.example\n", "file:///etc/passwd",
      "https://",
      "https://ex\u{e4}mple.org", "https://a.example\u{301}",
    ])
  func address(_ url: String) throws {
    let message = try Self.message("WebFetch", #"{"url":\#(try Self.json(url)),"prompt":"x"}"#)
    #expect(throws: UnaskedReason.unclear) { try AgentQuestion(message) }
  }

  @Test(
    "Other addresses have the port of their scheme",
    arguments: [
      ("http://a.example", "connect@a.example:80"), ("HTTPS://A.example./x@y", "connect@a.example:443"),
      ("https://[::1]:8080/", "connect@[::1]:8080"), ("https://0x7f.1/", "connect@127.0.0.1:443"),
      ("https://a.example?b", "connect@a.example:443"),
      ("https://a.example#@b.example", "connect@a.example:443"),
    ])
  func ports(_ url: String, _ value: String) throws {
    let message = try Self.message("WebFetch", #"{"url":\#(try Self.json(url)),"prompt":"x"}"#)
    #expect(try AgentQuestion(message)?.texts == [value])
  }

  @Test("Values over their limits are too long")
  func limits() throws {
    let long = String(repeating: "a", count: 8193)
    let files = (0..<33).map { "*** Add File: /f\($0)" }.joined(separator: "\\n")
    for (tool, input) in [
      ("Bash", #"{"command":"\#(long)"}"#), ("Read", #"{"file_path":"/\#(long)"}"#),
      (long.prefix(257).description, "{}"), ("apply_patch", #"{"command":"\#(files)"}"#),
    ] {
      let message = try Self.message(tool, input)
      #expect(throws: UnaskedReason.tooLong) { try AgentQuestion(message) }
    }
  }

  @Test("Every file of a patch is asked about, however its line is disguised")
  func patch() {
    let patch =
      "*** Begin Patch\n  *** Add File: a\u{a0}\r\n*** Update File: \u{301}b\n *** Delete File: c\n+*** Add File: no\n"
    #expect(PatchFiles.paths(of: patch).count == 3)
  }

  @Test("A description of Claude is only words, even if it looks like a connection of Codex")
  func description() throws {
    let input = #"{"command":"curl b.example","description":"network-access https://a.example:443"}"#
    let question = try AgentQuestion(try Self.message("Bash", input))
    #expect(question?.texts == ["run@curl b.example"])
    #expect(question?.reason == "network-access https://a.example:443")
  }

  @Test(
    "A tool that runs a line is asked about as a command, also if only its input says so",
    arguments: [
      ("Monitor", #"{"command":"tail -f build.log","description":"Watch","timeout_ms":5}"#, false),
      ("Monitor", #"{"command":"tail -f build.log","shell":"zsh"}"#, true),
      ("PowerShell", #"{"command":"tail -f build.log"}"#, true),
      ("mcp__box__run", #"{"command":"tail -f build.log"}"#, true),
      ("shell", #"{"cmd":["tail","-f","build.log"],"timeout":1}"#, true),
      ("RunScript", #"{"script":"tail -f build.log","description":"x"}"#, true),
    ])
  func shells(_ tool: String, _ input: String, _ isOnceOnly: Bool) throws {
    let question = try #require(try AgentQuestion(try Self.message(tool, input)))
    #expect(question.capability == "commands")
    #expect(question.texts == ["run@tail -f build.log"])
    #expect(question.isOnceOnly == isOnceOnly)
    // The question also names an unknown tool, so that a denial of the tool counts.
    let isKnown = ["Monitor", "PowerShell"].contains(tool)
    #expect(question.tool == (isKnown ? nil : tool))
    #expect((question.details?.text.contains(tool) ?? false) == !isKnown)
  }

  @Test(
    "All lines that an unknown tool is given are asked about together, and words are quoted as a shell reads them"
  )
  func severalLines() throws {
    let input = #"{"command":["sh","-c","rm -rf x"],"script":"curl evil.example"}"#
    #expect(
      try AgentQuestion(try Self.message("x", input))?.texts == ["run@sh -c 'rm -rf x'\\ncurl evil.example"])
    #expect(try AgentQuestion(try Self.message("x", #"{"command":{"a":1}}"#))?.capability == "tools")
  }

  @Test(
    "A tool with a member that is not known is asked about each time",
    arguments: [
      ("Write", #""file_path":"/a","content":"b""#), ("Read", #""file_path":"/a""#),
      ("Edit", #""file_path":"/a","old_string":"b","new_string":"c""#), ("LS", #""path":"/a""#),
      ("MultiEdit", #""file_path":"/a","edits":[{"old_string":"b","new_string":"c"}]"#),
      ("NotebookEdit", #""notebook_path":"/a","new_source":"b""#), ("Glob", #""pattern":"*""#),
      ("NotebookRead", #""notebook_path":"/a""#), ("Grep", #""pattern":"x""#),
      ("WebFetch", #""url":"https://a.example","prompt":"b""#),
      ("apply_patch", #""command":"*** Add File: /a""#),
    ])
  func unknownMember(_ tool: String, _ members: String) throws {
    #expect(try AgentQuestion(try Self.message(tool, "{\(members)}"))?.isOnceOnly == false)
    let question = try AgentQuestion(try Self.message(tool, #"{\#(members),"also":"/etc/passwd"}"#))
    #expect(question?.isOnceOnly == true)
    #expect(question?.details?.text.contains(#""also": "/etc/passwd""#) == true)
  }

  @Test("An edit among several with a member that is not known is asked about each time")
  func unknownEdit() throws {
    let input = #"{"file_path":"/a","edits":[{"old_string":"b","new_string":"c","file_path":"/etc/x"}]}"#
    #expect(try AgentQuestion(try Self.message("MultiEdit", input))?.isOnceOnly == true)
  }

  @Test("A cell of a notebook can be deleted without a new source")
  func deletedCell() throws {
    let input = #"{"notebook_path":"/a","cell_id":"c1","edit_mode":"delete"}"#
    #expect(try AgentQuestion(try Self.message("NotebookEdit", input))?.texts == ["write@/a"])
  }

  @Test("The subagent that asks is shown")
  func subagent() throws {
    let text =
      #"{"hook_event_name":"PermissionRequest","agent_type":"Explore","tool_name":"Bash","tool_input":{"command":"ls"}}"#
    let question = try AgentQuestion(try HookMessage(Array(text.utf8)))
    #expect(question?.details?.text == #""agent_type": "Explore""#)
  }

  @Test(
    "A command with a member that could change it is asked about each time, and the member is shown",
    arguments: [
      (#""dangerouslyDisableSandbox":true"#, true), (#""dangerouslyDisableSandbox":null"#, true),
      (#""dangerouslyDisableSandbox":false"#, false), (#""new":false"#, true), (#""new":"""#, true),
      (#""timeout":5"#, false), (#""run_in_background":true"#, false), (#""description":"x""#, false),
    ])
  func onceOnly(_ member: String, _ isOnceOnly: Bool) throws {
    let question = try #require(try AgentQuestion(try Self.message("Bash", #"{"command":"ls",\#(member)}"#)))
    #expect(question.isOnceOnly == isOnceOnly)
    let isShown = isOnceOnly && !member.hasSuffix("null") || member.contains("background")
    #expect((question.details != nil) == isShown)
  }

  @Test(
    "Every member of an unknown tool's input is shown, even if it is off, and unknown ones of a known tool")
  func members() throws {
    for (tool, input, shown) in [
      (
        "mcp__a__b", #"{"a":false,"b":"","c":null,"description":""}"#,
        "\"a\": false\n\"b\": \"\"\n\"c\": null\n\"description\": \"\""
      ),
      ("Read", #"{"file_path":"/a","limit":1,"new":false}"#, #""new": false"#),
      ("Grep", #"{"pattern":"x","-n":false,"new":""}"#, "\"new\": \"\"\n\"pattern\": \"x\""),
    ] {
      #expect(try AgentQuestion(try Self.message(tool, input))?.details?.text == shown)
    }
  }

  @Test("A question of Codex for more rights is left to its own dialog")
  func permissions() throws {
    #expect(try AgentQuestion(try Self.message("request_permissions", #"{"permissions":{}}"#)) == nil)
  }

  @Test("No line of a change can be taken for one without its sign")
  func signs() throws {
    let message = try Self.message(
      "Edit", #"{"file_path":"/a","old_string":"x\r\n@@ 1 of 2 @@","new_string":"\r\ny\n\u0301z\n"}"#)
    let lines = try #require(try AgentQuestion(message)?.details?.text.utf8.split(separator: 10))
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { [UInt8(ascii: "-"), UInt8(ascii: "+")].contains($0.first) })
  }

  @Test("A long content is shown by its first lines, and a long description among the details")
  func long() throws {
    let content = String(repeating: "a line of text\\n", count: 70_000)
    let message = try Self.message("Write", #"{"file_path":"/a","content":"\#(content)"}"#)
    let details = try #require(try AgentQuestion(message)?.details)
    #expect(details.text.utf8.split(separator: 10).count == ShownDetails.mostLinesOfLongText)
    #expect(details.linesLeftOut == 69_900)
    let words = String(repeating: "word ", count: 100)
    let question = try AgentQuestion(try Self.message("Bash", #"{"command":"ls","description":"\#(words)"}"#))
    #expect(question?.reason == nil)
    #expect(question?.details?.text == #""description": "\#(words)""#)
  }
}
