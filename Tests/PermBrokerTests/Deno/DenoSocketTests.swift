import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("The socket for Deno", .timeLimit(.minutes(1)))
struct DenoSocketTests {
  private let place: PathPlace

  init() throws {
    place = try PathPlace()
    try place.file("a.txt")
  }

  private static let script = "/home/ana/app/main.ts"

  private func withDeno(
    limits: RequestLimits.Settings = .init(), _ test: (TestBroker, DenoClient) async throws -> Void
  ) async throws {
    try await withBroker(limits: limits) { broker in
      broker.see(TestBroker.program(Self.script))
      try await test(broker, DenoClient(at: broker.address))
    }
  }

  private func decide(
    _ verdict: Verdict, _ reference: String, for lifetime: LifetimeChoice = .forever, in test: TestBroker
  ) throws {
    let subject = TestBroker.program(Self.script).subject(label: nil)
    let atoms = try CapabilityCatalogue.builtIn.parse(reference).atoms
    try test.store.decide(
      Ruling(verdict, subject: subject, atoms: atoms, lifetime: lifetime), by: .commandLine)
  }

  private var file: String { place.folder.file("a.txt") }

  // MARK: From memory

  @Test("What is decided is answered at once, and a change counts from the next question on")
  func decided() async throws {
    try await withDeno { test, deno in
      try decide(.allow, "files:read@\(place.path)/", in: test)
      #expect(try await deno.ask("read", file) == .init(id: 1, result: "allow"))
      #expect(try await deno.ask("read", file).result == "allow")
      try decide(.deny, "files:read@\(file)", in: test)
      #expect(try await deno.ask("read", file).result == "deny")
      #expect(try await deno.ask("read", place.folder.file("b.txt")).result == "allow")
      try test.store.setSuspended(true, by: .commandLine)
      #expect(try await deno.ask("read", place.folder.file("b.txt")).result == "deny")
      try test.store.setSuspended(false, by: .commandLine)
      #expect(try await deno.ask("read", place.folder.file("b.txt")).result == "allow")
      #expect(test.presenter.showing == nil)
    }
  }

  @Test("A link is followed at each question, so a folder that is allowed does not cover where it leads")
  func links() async throws {
    let other = try PathPlace()
    try other.file("secret")
    try await withDeno { test, deno in
      try decide(.allow, "files:read@\(place.path)/", in: test)
      try decide(.deny, "files:read@\(other.path)/", in: test)
      #expect(try await deno.ask("read", file).result == "allow")
      try place.remove("a.txt")
      try FileManager.default.createSymbolicLink(
        atPath: file, withDestinationPath: other.folder.file("secret"))
      #expect(try await deno.ask("read", file).result == "deny")
    }
  }

  @Test("An allow that ends counts for nothing, although the store has not changed")
  func ends() async throws {
    let running = Lock(true)
    var environment = StoreEnvironment.linux(sessionFolder: nil)
    let now = environment.now
    environment.now = {
      var moment = now()
      moment.isRunning = { _ in running.withLock(\.self) }
      return moment
    }
    let test = try TestBroker(store: MemoryStore(environment: environment))
    test.see(TestBroker.program(Self.script))
    let deno = try DenoClient(at: test.address)
    let subject = TestBroker.program(Self.script).subject(label: nil)
    let process = TestBroker.program(Self.script).evidence.process
    try test.store.decide(
      Ruling(
        .allow, subject: subject, atoms: [Atom("environment", "read", .name("HOME"))], lifetime: .process,
        process: process),
      by: .commandLine)
    #expect(try await deno.ask("env", "HOME").result == "allow")
    running.withLock { $0 = false }
    try await deno.send("env", "HOME")
    #expect(await test.presenter.nextRequest() != nil)
    test.presenter.answer(.deny)
    #expect(try await deno.reply().result == "deny")
    await test.broker.stop()
  }

  @Test("Uses are noted in the journal, summed up")
  func journal() async throws {
    try await withDeno { test, deno in
      try decide(.allow, "files:read@\(place.path)/", in: test)
      for _ in 0..<5 { try await deno.ask("read", file) }
      test.broker.answers.write()
      let entries = try test.store.journal(JournalFilter(kinds: [.automatic]), .newest(9))
      #expect(entries.count == 1 && entries.first?.verdict == .allow, "\(entries)")
    }
  }

  // MARK: Asking

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
      let subject = TestBroker.program(Self.script).subject(label: nil)
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
      try decide(.allow, "commands:run@*", for: .session, in: test)
      #expect(try await deno.ask("run", nil).result == "allow")
      #expect(try await deno.ask("run", "echo").result == "allow")
      try decide(.deny, "commands:run@rm", in: test)
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

  // MARK: Bad input

  @Test("Whatever is sent is denied under its number, and the connection goes on")
  func badInput() async throws {
    try await withDeno { test, deno in
      try decide(.allow, "files:read@*", in: test)
      try await deno.sendRaw("{\"v\":1,\"pid\":1,\"id\":4,\"permission\"\n")
      #expect(try await deno.reply().id == 4)
      try await deno.sendRaw("what?\n")
      let reply = try await deno.reply()
      #expect(reply.id == 5 && reply.result == "deny" && reply.reason?.contains("understand") == true)
      try await deno.sendRaw("{\"v\":1,\"id\":9,\"value\":\"\(String(repeating: "x", count: 200_000))\"}\n")
      #expect(try await deno.reply().id == 9)
      try await deno.send("read", file, pid: 1)
      #expect(try await deno.reply().result == "deny")
      try await deno.send("read", String(repeating: "a/", count: 1_500))
      #expect(try await deno.reply().result == "deny")
      #expect(try await deno.ask("fly", "x").result == "deny")
      #expect(try await deno.ask("read", file).result == "allow")
    }
  }

  @Test("Bytes that come one by one, or several questions at once, are answered in order")
  func pieces() async throws {
    try await withDeno { test, deno in
      try decide(.allow, "environment:read@A", in: test)
      try decide(.deny, "environment:read@B", in: test)
      func question(_ id: Int, _ name: String) -> String {
        "{\"v\":1,\"pid\":\(getpid()),\"id\":\(id),\"permission\":\"env\",\"value\":\"\(name)\"}\n"
      }
      for byte in question(1, "A") { try await deno.sendRaw(String(byte)) }
      #expect(try await deno.reply() == .init(id: 1, result: "allow"))
      try await deno.sendRaw(question(2, "B") + question(3, "A") + question(4, "B"))
      for (id, result) in [(2, "deny"), (3, "allow"), (4, "deny")] {
        let reply = try await deno.reply()
        #expect(reply.id == id && reply.result == result)
      }
    }
  }

  @Test("A program whose name cannot be shown gets denials with a reason")
  func badName() async throws {
    try await withDeno { test, deno in
      test.see(TestBroker.program("/home/ana/app/a\u{202e}b.ts"))
      let reply = try await deno.ask("read", file)
      #expect(reply.result == "deny" && reply.reason?.isEmpty == false)
    }
  }

  // MARK: Ends

  @Test("The question of a process that goes away is withdrawn")
  func withdrawn() async throws {
    try await withDeno { test, deno in
      try await deno.send("read", file)
      _ = await test.presenter.next()
      await deno.disconnect()
      _ = await test.presenter.nextWithdrawn()
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("When the broker ends, the open question is denied, and no request of it is left behind")
  func brokerEnds() async throws {
    let test = try TestBroker()
    let deno = try DenoClient(at: test.address)
    try await deno.send("read", file)
    _ = await test.presenter.next()
    async let stopped: Void = test.broker.stop()
    #expect(try await deno.reply() == .init(id: 1, result: "deny", reason: "PermTUI ended"))
    await stopped
    #expect(try test.store.waitingRequests().isEmpty)
    await #expect(throws: (any Error).self) { try await deno.ask("read", file) }
  }

  @Test("One process has one question open, even over several connections")
  func oneQuestion() async throws {
    try await withDeno { test, deno in
      let other = try DenoClient(at: test.address)
      try await deno.send("env", "A")
      let first = try #require(await test.presenter.nextRequest())
      try await other.send("env", "B")
      try await other.sendRaw("")
      #expect(try test.store.waitingRequests().map(\.id) == [first.request.id])
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
      #expect(await test.presenter.nextRequest()?.request.atoms.first?.scope == .name("B"))
      #expect(try test.store.waitingRequests().count == 1)
      test.presenter.answer(.deny)
      #expect(try await other.reply().result == "deny")
    }
  }

  @Test("A script that asks too often waits instead of being denied")
  func patient() async throws {
    var limits = RequestLimits.Settings()
    limits.program = .init(burst: 1, interval: .milliseconds(1))
    try await withDeno(limits: limits) { test, deno in
      for name in ["A", "B", "C"] {
        try await deno.send("env", name)
        _ = await test.presenter.next()
        test.presenter.answer(.allow)
        #expect(try await deno.reply().result == "allow")
      }
    }
  }
}
