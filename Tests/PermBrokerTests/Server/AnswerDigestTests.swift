import Foundation
import Operations
import PermModel
import Testing

@testable import PermBroker

@Suite("An answer carries the digest of what was shown", .timeLimit(.minutes(5)))
struct AnswerDigestTests {
  private typealias Ask = Methods.Request

  private func ask(_ test: TestBroker, _ parameters: Ask.Parameters) async throws -> (TestClient, String) {
    let client = try test.client()
    try await client.send(Ask.self, parameters)
    return (client, try await client.next(of: Ask.self).id)
  }

  @Test(
    "An answer by id without a digest, with another one or with no digest at all is refused, and nothing changes"
  )
  func wrongDigests() async throws {
    try await withBroker { test in
      let (first, id) = try await ask(test, .init(capability: "deploy", label: "backup"))
      let (second, other) = try await ask(test, .init(capability: "deploy", label: "backup", reason: "other"))
      let control = try test.client(.control)
      let wrong = [
        nil, "", "abc", String(repeating: "0", count: 64), try await test.pending(other).digest.description,
      ]
      for digest in wrong {
        let parameters = Methods.Answer.Parameters(id: id, answer: .init(verdict: .allow), digest: digest)
        await #expect(throws: BrokerError.self, "\(String(describing: digest))") {
          try await control.call(Methods.Answer.self, parameters)
        }
      }
      #expect(try test.store.waitingRequests().count == 2)
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test("An answer to what has changed meanwhile is refused: a panic, a denial of a part, another identity")
  func changedStanding() async throws {
    let subject = TestBroker.program("/home/ana/bin/backup.sh").subject(label: "backup")
    let changes: [@Sendable (MemoryStore) throws -> Void] = [
      { try $0.setSuspended(true, by: .commandLine) },
      {
        try $0.decide(Ruling(.deny, subject: subject, atoms: [Atom("deploy", "staging")]), by: .commandLine)
      },
      { store in
        let other = TestBroker.program("/tmp/backup").subject(label: "backup")
        try store.decide(Ruling(.allow, subject: other, atoms: [Atom("deploy", "staging")]), by: .commandLine)
      },
    ]
    for change in changes {
      // This is without a dashboard, and on a separate store, so that the broker is no faster than the answer.
      let store = MemoryStore(environment: .linux(sessionFolder: nil))
      let request = Request(
        id: Request.ID("r"), subject: subject, capability: "deploy",
        atoms: [Atom("deploy", "staging"), Atom("deploy", "production")], askedAt: Timestamp(seconds: 0),
        evidence: TestBroker.program("/home/ana/bin/backup.sh").evidence)
      try store.open(request)
      let control = StoreControl(store, catalogue: TestBroker.catalogue)
      let pending = try #require(try control.pending().first)
      let answer = Answer(.allow, atoms: pending.content.choices[0].atoms)
      try change(store)
      #expect(throws: BrokerError.changed) { try control.answer(request.id, answer, to: pending.digest) }
      #expect(try store.waitingRequests().count == 1)
    }
  }

  @Test("An answer that the machine's policy forbids is refused")
  func policy() throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let request = Request(
      id: Request.ID("r"), subject: Subject(label: "a"), capability: "deploy",
      atoms: [Atom("deploy", "staging")],
      askedAt: Timestamp(seconds: 0))
    try store.open(request)
    let digest = try #require(
      try StoreControl(store, catalogue: TestBroker.catalogue).pending().first?.digest)
    let strict = StoreControl(
      store, catalogue: TestBroker.catalogue,
      policy: MachinePolicy([MachinePolicy.Restriction(capability: "deploy")]))
    #expect(throws: BrokerError.changed) {
      try strict.answer(request.id, Answer(.allow, atoms: request.atoms), to: digest)
    }
  }

  @Test("An answer from a list counts for the request that was read, and for no other under its id")
  func fromAList() throws {
    func request(_ pid: Int32, reason: String?) -> Request {
      Request(
        id: Request.ID("r"), subject: Subject(label: "a"), capability: "deploy",
        atoms: [Atom("deploy", "staging")],
        reason: reason, askedAt: Timestamp(seconds: 0),
        evidence: Evidence(process: ProcessIdentity(pid: pid, startTime: 1), program: "/a"))
    }
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    try store.open(request(1, reason: "one"))
    let control = StoreControl(store, catalogue: TestBroker.catalogue)
    let yes = Answer(.allow, atoms: [Atom("deploy", "staging")])
    for read in [request(2, reason: "one"), request(1, reason: "two"), request(1, reason: nil)] {
      #expect(throws: BrokerError.changed) { try control.answer(read, yes) }
    }
    try control.answer(request(1, reason: "one"), yes)
    #expect(try store.waitingRequests().isEmpty)
  }

  @Test("A dashboard elsewhere answers by the digest of the alert that it was given")
  func respond() async throws {
    try await withBroker(hasDashboard: false) { test in
      let dashboard = try test.client(.control)
      try await dashboard.send(Methods.Attach.self, .init(dashboard: "far"))
      _ = try await dashboard.next(of: Methods.Attach.self)
      let (client, id) = try await ask(test, .init(capability: "deploy:staging,production", label: "backup"))
      let alert = try #require(try await dashboard.next(of: Methods.Attach.self).show?.first?.alert.alert())
      #expect(alert.id.text == id)
      let control = try test.client(.control)
      let good = alert.digest.description
      let wrong: [(Wire.Response?, String?)] = [
        (.init(verdict: .allow), nil), (.init(verdict: .allow), String(repeating: "0", count: 64)),
        (nil, good),
        (.init(verdict: .allow, parts: ["everything"]), good), (.init(verdict: .allow, parts: []), good),
        (.init(verdict: .allow, lifetime: .init(kind: .duration)), good),
        (.init(verdict: .allow, mute: true), good),
      ]
      for (answer, digest) in wrong {
        let parameters = Methods.Respond.Parameters(
          dashboard: "far", alert: id, response: .answered, answer: answer, digest: digest)
        await #expect(throws: BrokerError.self) { try await control.call(Methods.Respond.self, parameters) }
      }
      #expect(try test.store.waitingRequests().count == 1)
      _ = try await control.call(
        Methods.Respond.self,
        .init(
          dashboard: "far", alert: id, response: .answered,
          answer: .init(verdict: .allow, parts: ["staging"]), digest: good))
      let reply = try await client.next(of: Ask.self)
      #expect(reply.allowed == ["staging"])
      #expect(reply.denied == ["production"])
    }
  }

  @Test("The alert as it arrives elsewhere has the digest that it had when it was sent")
  func roundTrip() throws {
    let evidence = Evidence(
      process: ProcessIdentity(pid: 4711, startTime: .max), program: "/bin/b", interpreter: "bash",
      chain: ["tmux", "bash"], terminal: "pts/3", workingDirectory: "/home/ana", isSandboxed: true,
      doubt: "it hides")
    let request = Request(
      id: Request.ID("r"),
      subject: Subject(
        label: "backup", path: "/bin/b", file: FileIdentity(inode: 7, birth: -1), sandbox: .unknown),
      capability: "deploy", atoms: [Atom("deploy", "staging"), Atom("deploy", "production")],
      reason: "\u{202e}why",
      suggestedLifetime: .duration(.milliseconds(1500)), askedAt: Timestamp(microseconds: 3),
      evidence: evidence)
    let content = RequestAlert(
      request: request, title: "Deploy", action: "deploy", explanation: "probed", severity: .severe,
      choices: [RequirementChoice(atoms: request.atoms, title: "all")],
      covers: [.exact, CoverOffer(.name("all"), words: "all", reach: AnswerReach(allow: 3, deny: 4))],
      history: AnswerHistory(allowed: 9, denied: 1, last: Timestamp(microseconds: 2), today: 4),
      identity: .mismatch(seenBefore: "/bin/a"),
      lifetimes: [
        LifetimeOffer(.once), LifetimeOffer(.session, denialOnlyReason: "so"),
        LifetimeOffer(.forever, disabledReason: "no"),
      ],
      definition: "configured",
      joined: [JoinedRequest(id: Request.ID("s"), process: ProcessIdentity(pid: 1, startTime: 2))],
      reach: AnswerReach(allow: 1, deny: 2))
    let alert = Alert(id: Alert.ID("r"), content: .request(content))
    let sent = try WireCoding.encode(Wire.Alert(alert)).dropLast()
    let arrived = try #require(try WireCoding.decode(Wire.Alert.self, from: sent).alert())
    #expect(arrived == alert)
    #expect(arrived.digest == alert.digest)
  }

  @Test("An answer by id ends that request, and those that would have shared its alert go on waiting")
  func thatRequestOnly() async throws {
    try await withBroker(hasDashboard: false) { test in
      let (first, one) = try await ask(test, .init(capability: "deploy", label: "backup"))
      let (second, two) = try await ask(test, .init(capability: "deploy", label: "backup"))
      try await test.answer(one, .init(verdict: .deny))
      #expect(try await first.next(of: Ask.self).state == .denied)
      #expect(try test.store.waitingRequests().map(\.id.text) == [two])
      // The alert is now for the remaining request.
      test.broker.keeper.attach(test.presenter, dashboard: "late")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.requestIDs == [Request.ID(two)])
      test.presenter.answer(.allow)
      #expect(try await second.end().state == .allowed)
    }
  }
}
