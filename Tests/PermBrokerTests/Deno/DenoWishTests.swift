import PermModel
import Testing

@testable import PermBroker

@Suite("Deno's permissions in PermTUI's words")
struct DenoWishTests {
  private func wish(_ permission: String, _ value: String?) throws -> DenoWish {
    try DenoWish(DenoQuestion(id: 1, pid: 1, permission: permission, value: value))
  }

  @Test(
    "Values that are not paths",
    arguments: [
      ("net", "127.0.0.1:9", "network:connect@127.0.0.1:9"), ("net", "0.0.0.0:0", "network:connect@0.0.0.0"),
      ("net", "LocalHost", "network:connect@localhost"), ("net", "[::1]:2", "network:connect@[::1]:2"),
      ("net", nil, "network:connect"), ("env", "HOME", "environment:read@HOME"),
      ("env", "*", "environment:read@\\*"), ("env", nil, "environment:read"),
      ("sys", "hostname", "system:look@hostname"), ("sys", nil, "system:look"),
      ("import", "deno.land:443", "code:import@deno.land:443"), ("import", nil, "code:import"),
      ("read", nil, "files:read"), ("write", nil, "files:write"), ("ffi", nil, "code:load"),
      ("run", "echo", "commands:run@echo"), ("run", "/bin/sh", "commands:run@/bin/sh"),
      ("run", "/opt/a b", "commands:run@'/opt/a b'"), ("run", "a;rm -rf x", "commands:run@'a;rm -rf x'"),
      ("run", "it's", "commands:run@'it'\\''s'"), ("run", "A=b", "commands:run@'A=b'"),
      ("run", "git …", "commands:run@'git …'"),
    ] as [(String, String?, String)])
  func values(_ permission: String, _ value: String?, _ expected: String) throws {
    guard case .values(let asked) = try wish(permission, value) else {
      Issue.record("no values")
      return
    }
    #expect(asked.others.count == 1 && asked.paths.isEmpty && asked.dialect == .deno)
    let found = asked.others.first?.description ?? ""
    #expect(found.replacing("\\\\", with: "\\") == expected || found == expected)
  }

  @Test("Paths are left as they are spelled, until the process is looked at")
  func paths() throws {
    for (permission, capability, part) in [
      ("read", "files", "read"), ("write", "files", "write"), ("ffi", "code", "load"),
    ] {
      guard case .values(let asked) = try wish(permission, "./..a b.txt") else {
        Issue.record("no values")
        return
      }
      let path = try SpelledPath(Array("./..a b.txt".utf8), isFolder: false)
      #expect(asked.capability == capability && asked.others.isEmpty)
      #expect(asked.paths == [.init(part: part, spelled: path)])
    }
    #expect(
      try wish("write", "<TMP>") == .temporaryFile(named: SpelledPath(Array("<TMP>".utf8), isFolder: false)))
    #expect(try wish("run", nil) == .everyCommand)
  }

  @Test("A socket is a file to write, asked about each time")
  func socket() throws {
    guard case .values(let asked) = try wish("net", "unix:./tool") else {
      Issue.record("no values")
      return
    }
    let path = try SpelledPath(Array("./tool".utf8), isFolder: false)
    #expect(asked.capability == "files" && asked.others.isEmpty && asked.onceReason != nil)
    #expect(asked.paths == [.init(part: "write", spelled: path)])
  }

  @Test(
    "A program that can run every other one is asked about each time, by its name or by its path",
    arguments: [
      "bash", "sh", "env", "sudo", "xargs", "deno", "node", "python", "python3.11", "/bin/sh",
      "/opt/a b/bash", "/usr//bin/env", "ssh", "busybox", "/usr/bin/python3",
    ])
  func runsAll(_ program: String) throws {
    guard case .values(let asked) = try wish("run", program) else {
      Issue.record("no values")
      return
    }
    #expect(asked.onceReason == "it can run every other program")
  }

  @Test("Other programs are not asked about each time", arguments: ["ls", "git", "/bin/ls", "/opt/sh/tool"])
  func runsItself(_ program: String) throws {
    guard case .values(let asked) = try wish("run", program) else {
      Issue.record("no values")
      return
    }
    #expect(asked.onceReason == nil)
  }

  @Test(
    "Two dots in a path are refused with a reason, however the path begins",
    arguments: ["..", "../a", "a/../../.ssh/id", "/a/../b", "a/..", "./../a", "/..", "a//..//b"])
  func upwards(_ path: String) {
    let reason = DenoRefusal("the path has .. parts; write it without them")
    for permission in ["read", "write", "ffi", "run"] {
      #expect(throws: reason) { try wish(permission, path) }
    }
    #expect(throws: reason) { try wish("net", "unix:\(path)") }
  }

  @Test(
    "A program whose folder Deno does not say is refused", arguments: ["./tool", "bin/tool", "a/\u{301}b"])
  func relativeProgram(_ program: String) throws {
    let refusal = try #require(throws: DenoRefusal.self) { try wish("run", program) }
    #expect(refusal.reason.contains("write its whole path"))
  }

  @Test(
    "A permission that cannot be asked for is denied with a reason",
    arguments: [
      ("read", ""), ("read", "a\0b"), ("read", String(repeating: "x", count: 4097)), ("env", ""),
      ("env", String(repeating: "x", count: 257)), ("env", "a\0"), ("sys", ""), ("run", ""), ("run", "a\0"),
      ("run", String(repeating: "x", count: 8193)), ("net", "*"), ("net", "*.example.org"), ("net", ""),
      ("net", "https://example.org"), ("net", "user@host:1"), ("net", "host:0x50"), ("net", "host:65536"),
      ("net", "vsock:1:2"), ("net", "unix:"), ("import", "*"), ("all", "x"), ("", "x"), ("Read", "x"),
    ])
  func refused(_ permission: String, _ value: String) {
    #expect(throws: DenoRefusal.self) { try wish(permission, value) }
  }
}
