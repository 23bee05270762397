import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Questions of Deno that a person answers", .timeLimit(.minutes(1)))
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
      ("run", "ls", "run a command", "this program, with any arguments"),
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

  @Test("A relative command is asked about with its whole path")
  func relativeCommand() async throws {
    try await withDeno { test, deno in
      let here = FileManager.default.currentDirectoryPath
      try await deno.send("run", "./Package.swift")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms.first?.scope == .command("\(here)/Package.swift"))
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
      #expect(try await deno.ask("run", "./no/such/folder").result == "deny")
    }
  }

  @Test("A socket is a file to write; the answer to the question just before counts for it")
  func socket() async throws {
    try await withDeno { test, deno in
      try await deno.send("write", file)
      _ = await test.presenter.next()
      test.presenter.answer(.allow)
      #expect(try await deno.reply().result == "allow")
      #expect(try await deno.ask("net", "unix:\(file)").result == "allow")
      // Not once more, and not for another path.
      try await deno.send("net", "unix:\(file)")
      #expect(await test.presenter.nextRequest()?.request.atoms.first?.name == "write")
      test.presenter.answer(.allow)
      #expect(try await deno.reply().result == "allow")
      try await deno.send("net", "unix:\(place.folder.file("other"))")
      _ = await test.presenter.next()
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
    }
  }

  @Test("A temporary file is asked about as its folder, together with the file that has its name")
  func temporaryFile() async throws {
    try await withDeno { test, deno in
      try await deno.send("write", "<TMP>")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms.count == 2)
      #expect(alert.request.atoms.contains { $0.scope.text.hasSuffix("/<TMP>") })
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
    }
  }
}
