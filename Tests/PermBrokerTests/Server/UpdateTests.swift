import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("An update of an agent that is known by a link", .timeLimit(.minutes(5)))
struct UpdateTests {
  private typealias Ask = Methods.Request

  /// An agent with two versions, of which the link leads to the second.
  private struct Agent {
    let folder: TemporaryFolder
    let store: SQLiteStore
    let place = ProgramFolder(path: "/home/ana/src/app", device: 1, inode: 10)

    init() throws {
      folder = try TemporaryFolder()
      for name in ["state", "versions"] { mkdir(folder.file(name), 0o700) }
      for name in ["versions/2.1.201", "versions/2.1.278", "versions/2.1.300", "evil"] {
        try Data("x".utf8).write(to: URL(filePath: folder.file(name)))
      }
      store = try SQLiteStore(
        path: folder.file("state/permissions.sqlite"), environment: .linux(sessionFolder: nil))
      try KnownLinks.set(folder.file("claude"), isKnown: true, inFolder: folder.file("state"))
      update(to: "2.1.278")
    }

    func update(to version: String) {
      unlink(folder.file("claude"))
      symlink(folder.file("versions/\(version)"), folder.file("claude"))
    }

    func path(_ version: String) -> String { folder.file("versions/\(version)") }

    func subject(_ version: String, in place: ProgramFolder? = nil) -> Subject {
      Subject(
        label: "claude", path: path(version), file: FileIdentity(ofFileAt: path(version)),
        folder: place ?? self.place)
    }

    func program(_ version: String) throws -> IdentifiedProgram {
      var program = TestBroker.program(path(version))
      program.file = SeenFile(
        path: path(version), identity: try #require(FileIdentity(ofFileAt: path(version))))
      return program
    }

    /// Decides something about a version.
    func decide(_ verdict: Verdict, _ part: String, _ version: String, in place: ProgramFolder? = nil) throws
    {
      let ruling = Ruling(verdict, subject: subject(version, in: place), atoms: [Atom("deploy", part)])
      _ = try store.decide(ruling, by: .commandLine)
    }

    func decisions(of version: String) throws -> [String] {
      try store.decisions(DecisionFilter(path: path(version))).map { "\($0.verdict) \($0.atom)" }.sorted()
    }
  }

  private func withAgent(_ test: (Agent, TestBroker) async throws -> Void) async throws {
    let agent = try Agent()
    let broker = try TestBroker(store: agent.store)
    broker.work(in: agent.place)
    broker.see(try agent.program("2.1.278"))
    do { try await test(agent, broker) } catch {
      await broker.broker.stop()
      throw error
    }
    await broker.broker.stop()
  }

  private func ask(_ test: TestBroker, _ part: String = "staging") async throws -> Ask.Reply {
    try await test.client().call(
      Ask.self, .init(capability: "deploy:\(part)", label: "claude", inFolder: true))
  }

  @Test("One question carries everything over, in one change that can be undone")
  func carriedOver() async throws {
    try await withAgent { agent, test in
      try agent.decide(.allow, "staging", "2.1.201")
      try agent.decide(.deny, "production", "2.1.201")
      async let reply = ask(test)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [Atom("code", "update", .name(agent.folder.file("claude")))])
      #expect(
        alert.request.details?.text
          == "2.1.201 → 2.1.278, with 2 decisions:\nallowed deploy:staging\ndenied deploy:production")
      test.presenter.answer(.allow)
      #expect(try await reply.state == .allowed)
      #expect(try await ask(test, "production").state == .denied)
      #expect(try agent.decisions(of: "2.1.201").isEmpty)
      #expect(try agent.decisions(of: "2.1.278") == ["allow deploy:staging", "deny deploy:production"])
      #expect(try agent.store.programs(after: nil, limit: 10).map(\.subject) == [agent.subject("2.1.278")])
      _ = try agent.store.undo(by: .commandLine)
      #expect(try agent.decisions(of: "2.1.201") == ["allow deploy:staging", "deny deploy:production"])
      #expect(try agent.decisions(of: "2.1.278").isEmpty)
    }
  }

  @Test("A denial stays without a question, before one is answered and after it was refused")
  func denials() async throws {
    try await withAgent { agent, test in
      try agent.decide(.allow, "staging", "2.1.201")
      try agent.decide(.deny, "production", "2.1.201")
      #expect(try await ask(test, "production").state == .denied)
      async let reply = ask(test)
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      // Now the program is asked about as a new one.
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [Atom("deploy", "staging")])
      test.presenter.answer(.allow)
      #expect(try await reply.state == .allowed)
      #expect(try await ask(test, "production").state == .denied)
      async let again = ask(test)
      #expect(await test.presenter.nextRequest()?.request.atoms == [Atom("deploy", "staging")])
      test.presenter.answer(.deny)
      #expect(try await again.state == .denied)
    }
  }

  @Test("An answer that is kept carries over at all later updates of the link")
  func followed() async throws {
    try await withAgent { agent, test in
      try agent.decide(.allow, "staging", "2.1.201")
      async let reply = ask(test)
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.allow, .forever)
      #expect(try await reply.state == .allowed)
      agent.update(to: "2.1.300")
      test.see(try agent.program("2.1.300"))
      #expect(try await ask(test).state == .allowed)
      #expect(try agent.decisions(of: "2.1.278").isEmpty)
      #expect(try agent.decisions(of: "2.1.300").count == 2)
    }
  }

  @Test(
    "A decision that answers a request while the question is open is carried over, one that changes is not")
  func meanwhile() throws {
    let agent = try Agent()
    try agent.decide(.allow, "staging", "2.1.201")
    try agent.decide(.allow, "production", "2.1.201")
    let update = try #require(try agent.store.update(to: agent.subject("2.1.278")))
    let used = try #require(update.decisions.first { $0.atom == Atom("deploy", "staging") })
    try agent.store.record(
      AutomaticAnswer(
        .allow, subject: used.subject, capability: "deploy", atoms: [used.atom], reason: "it is allowed",
        decisions: [used]))
    try agent.decide(.deny, "production", "2.1.201")
    try agent.store.carryOver(update, by: .broker)
    #expect(try agent.decisions(of: "2.1.201") == ["deny deploy:production"])
    #expect(try agent.decisions(of: "2.1.278") == ["allow deploy:staging"])
  }

  @Test("A file to which the link does not lead, and what was decided elsewhere, carry nothing over")
  func nothing() throws {
    let agent = try Agent()
    try agent.decide(
      .allow, "staging", "2.1.201", in: ProgramFolder(path: "/home/ana/other", device: 1, inode: 11))
    #expect(try agent.store.update(to: agent.subject("2.1.278")) == nil)
    try agent.decide(.allow, "staging", "2.1.201")
    #expect(try agent.store.update(to: agent.subject("2.1.300")) == nil)
    #expect(try agent.store.update(to: agent.subject("2.1.201")) == nil)
    #expect(try agent.store.update(to: agent.subject("2.1.278"))?.earlier == [agent.subject("2.1.201")])
    try KnownLinks.set(agent.folder.file("claude"), isKnown: false, inFolder: agent.folder.file("state"))
    #expect(try agent.store.update(to: agent.subject("2.1.278")) == nil)
  }

  @Test("An agent about whose earlier files nothing is decided here is asked about like any other")
  func firstTime() async throws {
    try await withAgent { agent, test in
      let other = ProgramFolder(path: "/home/ana/src/other", device: 1, inode: 11)
      try agent.decide(.allow, "staging", "2.1.201", in: other)
      async let reply = ask(test)
      #expect(await test.presenter.nextRequest()?.request.atoms == [Atom("deploy", "staging")])
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
    }
  }
}
