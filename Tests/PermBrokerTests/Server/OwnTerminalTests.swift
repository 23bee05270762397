import Foundation
import Operations
import PermModel
import Testing

@testable import PermBroker

@Suite("A program that asks on its own terminal")
struct OwnTerminalTests {
  private typealias Ask = Methods.Request

  private static let id = "on-its-own-terminal-1"

  /// Makes a request that waits at a broker without a dashboard, and that its program asks about itself.
  private func asked(
    at test: TestBroker, id: String = id, _ capability: String = "deploy:production"
  ) async throws -> TestClient {
    let client = try test.client()
    try await client.send(Ask.self, .init(id: id, capability: capability, label: "backup"))
    #expect(try await client.next(of: Ask.self).presenters == 0)
    try await askHere(at: test, id: id)
    return client
  }

  private func askHere(at test: TestBroker, id: String = id, _ asks: Bool = true) async throws {
    _ = try await test.client().call(Methods.AskHere.self, .init(id: id, asks: asks))
  }

  @Test("is told the words of the person's own capability, which count in place of its own configuration")
  func words() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(at: test)
      let reply = try await test.client().call(Methods.AskHere.self, .init(id: Self.id, asks: true))
      let own = test.broker.settings.catalogue.own.first { $0.definition.name == "deploy" }
      #expect(reply.capability?.descriptor.definition == own?.definition && own != nil)
      try await answerHere(at: test, .deny)
      #expect(try await client.end().state == .denied)
    }
  }

  private func answerHere(at test: TestBroker, id: String = id, _ verdict: Verdict) async throws {
    _ = try await test.client().call(Methods.AnswerHere.self, .init(id: id, verdict: verdict))
  }

  /// Makes a request that only the store knows of.
  private func openRequest(in store: any PermissionStore) throws -> Request.ID {
    let program = TestBroker.program("/home/ana/bin/backup.sh")
    let request = Request(
      id: Request.ID(Self.id), subject: program.subject(label: "backup"), capability: "deploy",
      atoms: [Atom("deploy", "production")], askedAt: store.environment.now().wall, evidence: program.evidence
    )
    try store.open(request)
    return request.id
  }

  /// Returns the end of a request, whatever is reported before.
  private func terminals(at test: TestBroker) async throws -> [String?] {
    try await test.client(.control).call(Methods.Pending.self, .init()).requests.map(\.terminal)
  }

  @Test(
    "ends its request by the answer, which is journalled as what it was and not kept",
    arguments: Verdict.allCases)
  func answered(_ verdict: Verdict) async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(at: test)
      #expect(try await terminals(at: test) == ["pts/7"])
      try await answerHere(at: test, verdict)
      #expect(try await client.end().state == (verdict == .allow ? .allowed : .denied))
      let journal = try test.store.journal(.all, .newest(9)).reversed()
      #expect(journal.map(\.kind) == [.asked, .shown, .answered])
      #expect(journal.map(\.origin) == [nil, .terminal, .terminal])
      #expect(try test.store.decisions().isEmpty)
      let subject = try #require(journal.last?.subject)
      #expect(try test.store.history(of: subject, capability: "deploy") == AnswerHistory())
    }
  }

  @Test("answers for itself only: a request for the same that joined goes on waiting")
  func joined() async throws {
    try await withBroker(hasDashboard: false) { test in
      let other = try test.client()
      try await other.send(Ask.self, .init(capability: "deploy:production", label: "backup"))
      _ = try await other.next(of: Ask.self)
      let client = try await asked(at: test)
      try await answerHere(at: test, .allow)
      #expect(try await client.end().state == .allowed)
      #expect(try test.store.waitingRequests().count == 1)
      #expect(try await !other.hasReply(of: Ask.self))
    }
  }

  /// The decision that a person makes while the question is on the terminal.
  enum Meanwhile: CaseIterable {
    case panic, denial, mute

    func happen(in store: any PermissionStore, to subject: Subject) throws {
      switch self {
      case .panic: try store.setSuspended(true, by: .commandLine)
      case .denial:
        try store.decide(
          Ruling(.deny, subject: subject, atoms: [Atom("deploy", "production")]), by: .commandLine)
      case .mute: try store.decide(.mute(subject), by: .commandLine)
      }
    }
  }

  @Test(
    "gets no yes after a panic, a denial or a mute, however close the answer comes",
    arguments: Meanwhile.allCases)
  func decidedMeanwhile(_ meanwhile: Meanwhile) async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(at: test)
      let subject = try #require(test.store.waitingRequests().first).request.subject
      try meanwhile.happen(in: test.store, to: subject)
      await #expect(throws: BrokerError.noSuchRequest(Self.id)) { try await answerHere(at: test, .allow) }
      #expect(try await client.end().state == .denied)
      #expect(try !test.journal().contains(.answered))
    }
  }

  @Test("gets no yes that the policy of the machine forbids by now, without a broker either")
  func forbidden() throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let id = try openRequest(in: store)
    let policy = MachinePolicy([.init(capability: "deploy", parts: ["production"])])
    let forbidding = StoreControl(
      store, catalogue: TestBroker.catalogue, policy: policy, origin: .terminal)
    #expect(try !forbidding.answer(id, onItsTerminal: .allow))
    #expect(try store.waitingRequests().map(\.id) == [id])
    let control = StoreControl(store, catalogue: TestBroker.catalogue, origin: .terminal)
    #expect(try control.answer(id, onItsTerminal: .allow))
    #expect(try !control.answer(id, onItsTerminal: .allow), "the first answer counts")
  }

  @Test("says so again to the next broker, which knows nothing of it before")
  func nextBroker() async throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let id = try openRequest(in: store)
    try store.setTerminal(id, "pts/7")
    let test = try TestBroker(store: store, hasDashboard: false)
    #expect(try store.waitingRequests().map(\.terminal) == [nil])
    await test.broker.stop()
  }

  @Test("is told when a dashboard comes and goes, and may answer only while there is none")
  func dashboards() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(at: test)
      test.broker.keeper.attach(test.presenter, dashboard: "late")
      #expect(try await client.next(of: Ask.self).presenters == 1)
      #expect(try await terminals(at: test) == [nil])
      await #expect(throws: BrokerError.noSuchRequest(Self.id)) { try await answerHere(at: test, .allow) }
      await #expect(throws: BrokerError.self) { try await askHere(at: test) }
      test.broker.keeper.detach(dashboard: "late")
      #expect(try await client.next(of: Ask.self).presenters == 0)
      try await askHere(at: test)
      try await answerHere(at: test, .deny)
      #expect(try await client.end().state == .denied)
    }
  }

  @Test("is not told that the last dashboard has gone when the broker goes with it")
  func brokerEnds() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Ask.self, .init(id: Self.id, capability: "deploy", label: "backup"))
      #expect(try await client.next(of: Ask.self).presenters == 1)
      test.broker.willStop()
      test.broker.keeper.detach(dashboard: "test")
      _ = try await test.client(.control).call(Methods.Answer.self, .init(id: Self.id))
      #expect(try await client.next(of: Ask.self).state == .dismissed)
    }
  }

  @Test("answers nothing that it did not say it asks, and nothing that it asks no longer")
  func notAsked() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(at: test)
      try await askHere(at: test, false)
      #expect(try await terminals(at: test) == [nil])
      await #expect(throws: BrokerError.noSuchRequest(Self.id)) { try await answerHere(at: test, .allow) }
      #expect(try await !client.hasReply(of: Ask.self))
    }
  }

  @Test("answers nothing for another process, which takes nothing away either")
  func otherProcess() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(at: test)
      var other = TestBroker.program("/home/ana/bin/other.sh")
      other.peer.startTime += 1
      test.see(other)
      await #expect(throws: BrokerError.noSuchRequest(Self.id)) { try await answerHere(at: test, .allow) }
      #expect(try await !client.hasReply(of: Ask.self))
    }
  }

  @Test("is withdrawn if it became another program while the person read")
  func changedProgram() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(at: test)
      test.see(TestBroker.program("/home/ana/bin/other.sh"))
      await #expect(throws: BrokerError.noSuchRequest(Self.id)) { try await answerHere(at: test, .allow) }
      #expect(try await client.end().state == .withdrawn)
    }
  }

  @Test("may not do so in a sandbox")
  func sandboxed() async throws {
    try await withBroker(hasDashboard: false) { test in
      var program = TestBroker.program("/home/ana/bin/backup.sh")
      program.evidence.isSandboxed = true
      test.see(program)
      await #expect(throws: BrokerError.self) { _ = try await asked(at: test) }
      await #expect(throws: BrokerError.noSuchRequest(Self.id)) { try await answerHere(at: test, .allow) }
    }
  }

  @Test("may not begin again and again: each time costs a line of the journal")
  func endless() async throws {
    try await withBroker(hasDashboard: false) { test in
      _ = try await asked(at: test)
      await #expect(throws: BrokerError.self) {
        for _ in 1...100 {
          try await askHere(at: test, false)
          try await askHere(at: test)
        }
      }
      #expect(try test.store.journal(.all, .newest(200)).count < 60)
    }
  }
}
