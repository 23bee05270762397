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
      guard case .values(let asked) = try wish(permission, "./../a b.txt") else {
        Issue.record("no values")
        return
      }
      let path = try SpelledPath(Array("./../a b.txt".utf8), isFolder: false)
      #expect(asked.capability == capability && asked.others.isEmpty)
      #expect(asked.paths == [.init(part: part, spelled: path)])
    }
    let path = try SpelledPath(Array("./tool".utf8), isFolder: false)
    #expect(try wish("run", "./tool") == .command(at: path))
    #expect(try wish("net", "unix:./tool") == .socket(path))
    #expect(
      try wish("write", "<TMP>") == .temporaryFile(named: SpelledPath(Array("<TMP>".utf8), isFolder: false)))
    #expect(try wish("run", nil) == .everyCommand)
  }

  @Test(
    "What cannot be asked is denied with a reason",
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
