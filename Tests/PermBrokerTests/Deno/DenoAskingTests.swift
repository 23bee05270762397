import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Questions of Deno that a person answers", .timeLimit(.minutes(5)))
struct DenoAskingTests {
  private let place: PathPlace
  private var file: String { place.folder.file("a.txt") }

  init() throws {
    place = try PathPlace()
    try place.file("a.txt")
  }

  @Test("An open question is asked, with the note as the reason of a denial")
  func asks() async throws {
    try await withDeno { test, deno in
      try await deno.send("read", file)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [place.read("a.txt")])
      #expect(alert.request.subject.label == "main.ts" && alert.action == "read a file")
      test.presenter.answer(
        .answered(Answer(.deny, atoms: alert.request.atoms, lifetime: .once, note: "ask \u{1b}Ana")))
      #expect(try await deno.reply() == .init(id: 1, result: "deny", reason: #"ask \u{1b}Ana"#))
      try await deno.send("read", file)
      _ = await test.presenter.next()
      test.presenter.answer(.allow)
      #expect(try await deno.reply() == .init(id: 2, result: "allow"))
    }
  }

  @Test(
    "The words claim no more than Deno says",
    arguments: [
      ("net", "localhost:80", "connect to, or listen on a host", "this host and port"),
      ("run", "ls", "run a command", "any program called ls, with any arguments"),
      ("run", "/bin/ls", "run a command", "this program, with any arguments"),
      ("env", "HOME", "read or set a variable", "this name"),
    ])
  func words(_ permission: String, _ value: String, _ action: String, _ covers: String) async throws {
    try await withDeno { test, deno in
      try await deno.send(permission, value)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.action == action && alert.covers.first?.words == covers)
      if permission == "run" { #expect(alert.covers.count == 1 && alert.explanation.contains("arguments")) }
      // The list of what waits shows the same, so that an answer given there counts.
      try await test.answer(alert.request.id.text, Wire.Response(verdict: .allow))
      #expect(try await deno.reply().result == "allow")
    }
  }

  @Test("Everything is asked in words, and a command form allows no command whose arguments are unknown")
  func everything() async throws {
    try await withDeno { test, deno in
      try await deno.send("env", nil)
      #expect(await test.presenter.nextRequest()?.action == "read every environment variable")
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
      let subject = TestBroker.program(TestBroker.denoScript).subject(label: nil)
      try test.store.decide(
        Ruling(.allow, subject: subject, atoms: [Atom("commands", "run", .form("ls"))]), by: .commandLine)
      try await deno.send("run", "ls")
      #expect(await test.presenter.nextRequest()?.covers.count == 1)
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
    }
  }

  @Test("Whether any command may run is answered without asking")
  func everyCommand() async throws {
    try await withDeno { test, deno in
      #expect(try await deno.ask("run", nil).result == "deny")
      try test.decide(.allow, "commands:run@*", for: .session)
      #expect(try await deno.ask("run", nil).result == "allow")
      #expect(try await deno.ask("run", "echo").result == "allow")
      try test.decide(.deny, "commands:run@rm")
      #expect(try await deno.ask("run", nil).result == "deny")
      #expect(test.presenter.showing == nil)
    }
  }

  @Test("A relative command is denied, because the script chooses the folder in which it is looked up")
  func relativeCommand() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "commands:run@\(FileManager.default.currentDirectoryPath)/Package.swift")
      let reply = try await deno.ask("run", "./Package.swift")
      #expect(reply.result == "deny" && reply.reason?.contains("write its whole path") == true)
      #expect(test.presenter.showing == nil)
    }
  }

  @Test("A name is allowed until the process ends at most, because the script chooses which program it is")
  func bareName() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "commands:run@ls")
      try await deno.send("run", "ls")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.covers.count == 1 && alert.covers.first?.longest == .process)
      test.presenter.answer(.allow)
      #expect(try await deno.reply().result == "allow")
      try test.decide(.allow, "commands:run@/bin/ls")
      #expect(try await deno.ask("run", "/bin/ls").result == "allow")
      try test.decide(.deny, "commands:run@ls")
      #expect(try await deno.ask("run", "ls").result == "deny")
    }
  }

  @Test("A shell is asked about each time, although it is allowed", arguments: ["bash", "/bin/sh"])
  func shell(_ program: String) async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "commands:run@\(program)")
      for _ in 0..<2 {
        try await deno.send("run", program)
        let alert = try #require(await test.presenter.nextRequest())
        #expect(alert.covers.count == 1 && alert.covers.first?.longest == .once)
        test.presenter.answer(.allow)
        #expect(try await deno.reply().result == "allow")
      }
      try test.decide(.deny, "commands:run@\(program)")
      #expect(try await deno.ask("run", program).result == "deny")
    }
  }

  @Test("A socket is asked about each time, although writing its folder is allowed")
  func socket() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "files:write@\(place.path)/")
      try test.decide(.allow, "files:write@\(file)")
      #expect(try await deno.ask("write", file).result == "allow")
      for _ in 0..<2 {
        try await deno.send("net", "unix:\(file)")
        let alert = try #require(await test.presenter.nextRequest())
        #expect(alert.request.atoms == [Atom("files", "write", place.scope("a.txt"))])
        #expect(alert.covers.count == 1 && alert.covers.first?.longest == .once)
        test.presenter.answer(.allow)
        #expect(try await deno.reply().result == "allow")
      }
      try test.decide(.deny, "files:write@\(file)")
      #expect(try await deno.ask("net", "unix:\(file)").result == "deny")
    }
  }

  @Test("A temporary file is asked about each time, as its folder and the file that has its name")
  func temporaryFile() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "files:write@*")
      try await deno.send("write", "<TMP>")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms.count == 2)
      #expect(alert.request.atoms.contains { $0.scope.text.hasSuffix("/<TMP>") })
      #expect(alert.covers.first?.longest == .once)
      #expect(alert.covers.first?.limitReason?.contains("Deno does not say in which folder") == true)
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
    }
  }

  @Test("Two dots are denied, although the file that the system would find is allowed")
  func upwards() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "files:read@*")
      let reply = try await deno.ask("read", "\(place.path)/b/../a.txt")
      #expect(reply.result == "deny" && reply.reason?.contains("..") == true)
      #expect(try await deno.ask("read", file).result == "allow")
    }
  }

  @Test("A process stays the program that asked first, even if its command line leads elsewhere later")
  func changedProgram() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "environment:read@A")
      #expect(try await deno.ask("env", "A").result == "allow")
      let other = TestBroker.program("/home/ana/other/main.ts")
      test.see(other)
      // The other script's allows do not apply to this one.
      try test.store.decide(
        Ruling(
          .allow, subject: other.subject(label: nil), atoms: [Atom("environment", "read", .name("B"))]),
        by: .commandLine)
      for name in ["B", "C"] {
        let reply = try await deno.ask("env", name)
        #expect(reply.result == "deny" && reply.reason?.contains("the program has changed") == true)
      }
      #expect(test.presenter.showing == nil)
      test.see(TestBroker.program(TestBroker.denoScript))
      #expect(try await deno.ask("env", "A").result == "allow")
    }
  }
}
