import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("Attacks on runs", .timeLimit(.minutes(5)))
struct RunAttackTests {
  private func refusal(_ attempt: () async throws -> Void) async -> String? {
    do {
      try await attempt()
      return nil
    } catch { return "\(error)" }
  }

  @Test("Another process can neither ask nor unask for a run, and does not learn whether it exists")
  func otherProcess() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let question = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      test.seeWarden { $0.identity = ProcessIdentity(pid: 80, startTime: 800) }
      let real = await refusal { _ = try await run.ask("/home/ana/b.txt") }
      let guessed = await refusal {
        _ = try await run.ask("/home/ana/b.txt") { $0.run = "guessed-0123456789" }
      }
      #expect(real == "this process supervises no such run")
      #expect(guessed == real)
      #expect(await refusal { try await run.unask(question) } == real)
      #expect(test.presenter.showing?.id.text == question)
    }
  }

  @Test(
    "A folder that may be written covers no socket of the host in it, nor does an answer for longer than the run"
  )
  func socketInFolder() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let folder = Atom("files", "write", .folder(try AbsolutePath("/home/ana")))
      try test.store.decide(Ruling(.allow, subject: run.subject, atoms: [folder]), by: .commandLine)
      let file = try await run.ask("/home/ana/docker.sock")
      #expect(try await run.next() == (file, .allowed))
      let socket = try await run.ask("/home/ana/docker.sock") { $0.caution = .socket }
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.covers.map(\.scope) == [nil])
      let lifetimes = alert.lifetimes(cover: 0).filter { $0.reason(against: .allow) == nil }.map(\.choice)
      #expect(lifetimes == [.once, .process])
      #expect(alert.request.facts.doubts.first?.contains("can leave the walls") == true)
      test.presenter.answer(.allow)
      #expect(try await run.next() == (socket, .allowed))
    }
  }

  @Test(
    "Every host may be reached, but the address that a name leads to on this machine is asked about by itself"
  )
  func addressBehindName() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let all = Atom("network", "connect")
      try test.store.decide(Ruling(.allow, subject: run.subject, atoms: [all]), by: .commandLine)
      func ask(_ caution: Methods.Ask.Caution?) async throws -> String {
        let host = Scope.host(try Host("127.0.0.1"), port: 8080)
        return try await run.ask("/", part: "connect") {
          ($0.capability, $0.values[0].scope, $0.caution) = ("network", ScopeFields(host), caution)
        }
      }
      let named = try await ask(nil)
      #expect(try await run.next() == (named, .allowed))
      let behind = try await ask(.behindName)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.covers.map(\.scope) == [nil])
      test.presenter.answer(.deny)
      #expect(try await run.next() == (behind, .denied))
    }
  }

  @Test("A process that has got the warden's number after its death is not the warden")
  func reused() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      test.seeWarden { $0.identity = ProcessIdentity(pid: 70, startTime: 9_999) }
      #expect(await refusal { _ = try await run.ask("/home/ana/a.txt") } != nil)
      test.seeWarden { $0.identity = nil }
      #expect(await refusal { _ = try await run.ask("/home/ana/a.txt") } != nil)
    }
  }

  @Test("Only permtui-run can supervise, outside of sandboxes, and only what it has started")
  func wardens() async throws {
    try await withBroker { test in
      test.seeWarden { $0.isWarden = false }
      #expect(await refusal { _ = try await TestRun(test) } == "only permtui-run can supervise a run")
      test.seeWarden { ($0.isWarden, $0.hasStartedRun) = (true, false) }
      #expect(
        await refusal { _ = try await TestRun(test) } == "pid: it is no process that the caller has started")
      test.seeWarden { $0.hasStartedRun = true }
      // A program behind walls that has got at the socket `control` is in other namespaces.
      let caller = ControlCaller.Member(identity: ProcessIdentity(pid: 1, startTime: 0))
      test.seeAtControl(ControlCaller(lineage: [caller], foreign: .mount))
      #expect(await refusal { _ = try await TestRun(test) }?.contains("another mount namespace") == true)
      test.seeAtControl(ControlCaller(lineage: [caller], isHeld: false))
      #expect(await refusal { _ = try await TestRun(test) } == "only permtui-run can supervise a run")
    }
  }

  @Test("A second run cannot take the id of another one, which goes on")
  func sameID() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      test.seeWarden { $0.identity = ProcessIdentity(pid: 80, startTime: 800) }
      #expect(await refusal { _ = try await TestRun(test) } == "run: a run has this id already")
      test.seeWarden { $0 = SeenWarden() }
      let question = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      test.presenter.answer(.deny)
      #expect(try await run.next() == (question, .denied))
      await run.end()
      try await test.untilFree(TestRun.id)
      _ = try await TestRun(test)
    }
  }

  @Test("A question's id belongs to it", arguments: ["waits", "ended"])
  func questionID(_ state: String) async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let question = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      if state == "ended" {
        test.presenter.answer(.allow)
        #expect(try await run.next() == (question, .allowed))
        try await test.untilNothingWaits()
      }
      #expect(await refusal { _ = try await run.ask("/home/ana/secret", id: question) } != nil)
    }
  }

  @Test(
    "A lie about a value is refused, or is about exactly that value",
    arguments: [
      #"{"name": "HOME"}"#, #"{"command": "ls"}"#, #"{"path": "a.txt"}"#, #"{"path": "/home/../etc"}"#,
      #"{"path": ""}"#, #"{"path": "/a", "host": "b"}"#, #"{"domain": "example.org"}"#, "{}",
    ])
  func values(_ text: String) async throws {
    let value = try JSONDecoder().decode(ScopeFields.self, from: Data(text.utf8))
    try await withBroker { test in
      let run = try await TestRun(test)
      #expect(await refusal { _ = try await run.ask("/a") { $0.values[0].scope = value } } != nil)
    }
  }

  @Test(
    "A run asks about files and hosts only", arguments: ["commands", "deploy", "environment", "keys", "x"])
  func capabilities(_ name: String) async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      #expect(await refusal { _ = try await run.ask("/a") { $0.capability = name } } != nil)
      #expect(await refusal { _ = try await run.ask("/a") { $0.values[0].part = name } } != nil)
    }
  }

  @Test("A group of values is bounded, is not empty, and has no caution")
  func groups() async throws {
    let many = try (0...32).map { Wire.Value(part: "read", scope: try TestRun.value("/home/ana/\($0)")) }
    try await withBroker { test in
      let run = try await TestRun(test)
      #expect(await refusal { _ = try await run.ask("/a") { $0.values = [] } } != nil)
      #expect(await refusal { _ = try await run.ask("/a") { $0.values = many } } != nil)
      #expect(
        await refusal {
          _ = try await run.ask("/a") { ($0.values, $0.caution) = (Array(many[..<2]), .socket) }
        } != nil)
    }
  }

  @Test("A name of any bytes is shown escaped, and one that is too long is refused")
  func names() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      #expect(await refusal { _ = try await run.ask("/a") { $0.name = "" } } != nil)
      #expect(
        await refusal { _ = try await run.ask("/a") { $0.name = String(repeating: "x", count: 65) } } != nil)
      _ = try await run.ask("/a") { $0.name = "\u{1b}[31mroot" }
      let alert = try #require(await test.presenter.nextRequest())
      let facts = RequestFacts(
        alert, choice: 0, visible: { VisibleText.escaped($0) }, quoted: { $0 }, moment: nil, exact: nil)
      #expect(!facts.all.contains { $0.text.unicodeScalars.contains("\u{1b}") })
    }
  }

  @Test(
    "A program's name is checked as elsewhere",
    arguments: ["app:org.example.Cam", "https://example.org", "", "a\u{202e}b"])
  func labels(_ label: String) async throws {
    try await withBroker { test in
      #expect(await refusal { _ = try await TestRun(test) { $0.label = label } } != nil)
    }
  }

  @Test(
    "A program that is not there, or a relative path, is refused", arguments: ["/no/such", "tool.sh", "/"])
  func programs(_ path: String) async throws {
    try await withBroker { test in
      #expect(await refusal { _ = try await TestRun(test) { $0.program = path } } != nil)
    }
  }

  @Test("Only the socket control serves runs, and only with several replies")
  func sockets() async throws {
    try await withBroker { test in
      let parameters = try TestRun.parameters(test)
      await #expect(throws: BrokerError.self) {
        try await test.client(.ask).call(Methods.Supervise.self, parameters)
      }
      await #expect(throws: BrokerError.expectsMore(Methods.Supervise.fullName)) {
        try await test.client(.control).call(Methods.Supervise.self, parameters)
      }
    }
  }

  @Test("A run that asks and withdraws in a loop is slowed down, and answers cost nothing")
  func loop() throws {
    let runs = Runs()
    let seen = TestBroker.program("/usr/bin/true")
    try runs.begin("run", Runs.Run(seen.evidence.process, seen, as: seen.subject(label: nil)) { _ in })
    func ask(_ number: Int, at now: Duration, isAnswered: Bool) throws {
      try runs.ask("\(number)", in: "run", at: now) { Task {} }
      runs.ended("\(number)", in: "run", isAnswered: isAnswered)
    }
    for number in 0..<1_000 { try ask(number, at: .zero, isAnswered: true) }
    for number in 0..<128 { try ask(number, at: .zero, isAnswered: false) }
    #expect(throws: BrokerError.self) { try ask(128, at: .milliseconds(99), isAnswered: false) }
    try ask(128, at: .milliseconds(101), isAnswered: false)
    #expect(throws: BrokerError.self) { try ask(129, at: .milliseconds(102), isAnswered: false) }
  }

  @Test("There is an end to the number of runs")
  func manyRuns() async throws {
    let runs = Runs()
    let seen = TestBroker.program("/usr/bin/true")
    let run = Runs.Run(seen.evidence.process, seen, as: seen.subject(label: nil)) { _ in }
    for number in 0..<Runs.most { try runs.begin("\(number)", run) }
    #expect(throws: BrokerError.self) { try runs.begin("more", run) }
    runs.end("7")
    try runs.begin("more", run)
  }
}

extension TestBroker {
  /// Waits until the broker knows that a run has ended.
  fileprivate func untilFree(_ id: String) async throws {
    let identity = ProcessIdentity(pid: 70, startTime: 700)
    while (try? broker.runs.run(id, of: identity)) != nil { await Task.yield() }
  }
}
