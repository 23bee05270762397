import Foundation
import Machine
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("Persons answer and change through the broker")
struct ControlTests {
  private typealias Ask = Methods.Request

  /// Asks, and returns the client once its request waits.
  private func waitingClient(_ test: TestBroker, label: String = "backup") async throws -> (
    TestClient, String
  ) {
    let client = try test.client()
    try await client.send(Ask.self, .init(capability: "deploy", label: label))
    let id = try await client.next(of: Ask.self).id
    #expect(try test.store.waitingRequests().contains { $0.id.text == id })
    return (client, id)
  }

  @Test("A client of `ask` can do nothing that belongs to `control`")
  func askIsNotControl() async throws {
    try await withBroker { test in
      let ask = try test.client()
      let methods = [
        "Pending", "Answer", "Allow", "Deny", "Decide", "Forget", "Undo", "Redo", "Import", "Log", "State",
        "Watch", "Attach", "Respond", "RequestFor", "Mute", "Unmute", "Panic", "OwnCapabilities",
      ]
      let (client, id) = try await waitingClient(test)
      for method in methods {
        let parameters =
          #"{"id":"\#(id)","answer":{"verdict":"allow"},"program":"backup","capability":"deploy","dashboard":"x","#
          + #""alert":"\#(id)","response":"dismissed"}"#
        try await ask.sendRaw(
          #"{"method":"io.permtui.Broker.\#(method)","parameters":\#(parameters),"more":true}"# + "\0")
        await #expect(throws: BrokerError.onOtherSocket(method: Methods.Pending.fullName, .control)) {
          try await ask.next(of: Methods.Pending.self)
        }
      }
      #expect(try test.store.waitingRequests().map(\.id.text) == [id])
      #expect(try test.store.decisions().isEmpty)
      #expect(test.broker.keeper.screenCount == 1)
      await client.disconnect()
    }
  }

  @Test("A descendant of a program that asks may look, and change nothing; the attempt is told")
  func descendant() async throws {
    try await withBroker { test in
      let (client, id) = try await waitingClient(test)
      let program = TestBroker.program("/home/ana/bin/backup.sh").evidence.process
      test.seeAtControl(
        ControlCaller(lineage: [
          .init(identity: ProcessIdentity(pid: 7, startTime: 9)), .init(identity: program),
        ]))
      let control = try test.client(.control)
      #expect(try await control.call(Methods.Pending.self, .init()).requests.count == 1)
      _ = try await control.call(Methods.Log.self, .init())
      try await refused { try await control.call(Methods.Answer.self, .init(id: id, answer: nil)) }
      try await refused {
        try await control.call(Methods.Allow.self, .init(program: "backup", capability: "deploy"))
      }
      try await refused {
        try await control.call(Methods.Deny.self, .init(program: "other", capability: "deploy"))
      }
      try await refused { try await control.call(Methods.Forget.self, .init(program: "other")) }
      try await refused { try await control.call(Methods.Undo.self, .init()) }
      try await refused {
        try await control.call(
          Methods.Respond.self, .init(dashboard: "x", alert: id, response: .dismissed))
      }
      try await control.send(Methods.Attach.self, .init(dashboard: "x"))
      try await refused { try await control.next(of: Methods.Attach.self) }
      await #expect(throws: BrokerError.nothingToUndo) {
        try await control.call(Methods.Undo.self, .init(preview: true))
      }
      #expect(try test.store.waitingRequests().map(\.id.text) == [id])
      #expect(test.broker.keeper.screenCount == 1)
      let told = try await control.call(Methods.Log.self, .init(kinds: ["refused"])).entries
      #expect(Set(told.compactMap(\.text)).count == 7)
      #expect(told.contains { $0.text == "tried to use Answer while its own request waits" })
      #expect(told.allSatisfy { $0.program?.label == "backup" && $0.verdict == .deny })
      await client.disconnect()
    }
  }

  private func refused(_ call: () async throws -> some Any) async throws {
    do {
      _ = try await call()
      Issue.record("it was done")
    } catch BrokerError.mayNotChange(let reason) {
      #expect(reason.hasPrefix("backup has a request waiting"))
    }
  }

  @Test("When its request has ended, what descends from the program may change things again")
  func descendantLater() async throws {
    try await withBroker { test in
      let (client, _) = try await waitingClient(test)
      test.seeAtControl(
        ControlCaller(lineage: [
          .init(identity: TestBroker.program("/home/ana/bin/backup.sh").evidence.process)
        ]))
      let control = try test.client(.control)
      let call = Methods.Allow.Parameters(program: "backup", capability: "deploy")
      try await refused { try await control.call(Methods.Allow.self, call) }
      _ = await test.presenter.next()
      test.presenter.answer(.dismissed)
      #expect(try await client.next(of: Ask.self).state == .dismissed)
      _ = try await client.call(Methods.Status.self, .init(capability: "deploy", label: "backup"))
      #expect(try await control.call(Methods.Allow.self, call).decisions.count == 1)
    }
  }

  @Test("A dashboard that began to ask is taken away, and its alert is shown elsewhere")
  func dashboardThatAsks() async throws {
    try await withBroker { test in
      let dashboard = try test.client(.control)
      try await dashboard.send(Methods.Attach.self, .init(dashboard: "newest"))
      _ = try await dashboard.next(of: Methods.Attach.self)
      try await until { test.broker.keeper.screenCount >= 2 }
      let (client, id) = try await waitingClient(test)
      #expect(try await dashboard.next(of: Methods.Attach.self).show?.first?.alert.id == id)
      test.seeAtControl(
        ControlCaller(lineage: [
          .init(identity: TestBroker.program("/home/ana/bin/backup.sh").evidence.process)
        ]))
      let answer = Wire.Response(verdict: .allow)
      try await refused {
        try await test.client(.control).call(
          Methods.Respond.self,
          .init(dashboard: "newest", alert: id, response: .answered, answer: answer))
      }
      #expect(await test.presenter.next().id.text == id)
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }

  @Test("A waiting request is listed, and answered by its id, once")
  func answer() async throws {
    try await withBroker(hasDashboard: false) { test in
      let (client, id) = try await waitingClient(test)
      let control = try test.client(.control)
      let pending = try await control.call(Methods.Pending.self, .init()).requests
      #expect(pending.map(\.request.id) == [id])
      #expect(try pending.first?.request.checkedRequest().subject.path == "/home/ana/bin/backup.sh")
      let yes = Wire.Response(
        verdict: .allow, lifetime: Wire.LifetimeChoice(.duration(.seconds(600))), note: "go")
      let digest = try #require(try pending.first?.pending().digest.description)
      _ = try await control.call(Methods.Answer.self, .init(id: id, answer: yes, digest: digest))
      #expect(try await client.next(of: Ask.self).state == .allowed)
      let decision = try #require(try test.store.decisions().first)
      #expect(decision.origin == .commandLine)
      #expect(decision.note == "go")
      await #expect(throws: BrokerError.noSuchRequest(id)) {
        try await control.call(Methods.Answer.self, .init(id: id, answer: yes, digest: digest))
      }
    }
  }

  @Test("Waiting requests are listed up to a limit, the longest waiting first, with the number of all")
  func pendingUpToALimit() async throws {
    try await withBroker(hasDashboard: false) { test in
      for (index, id) in ["a", "b", "c"].enumerated() {
        try test.store.open(
          Request(
            id: Request.ID(id), subject: Subject(label: "p"), capability: "deploy",
            atoms: [Atom("deploy", "staging")], askedAt: Timestamp(seconds: Int64(index))))
      }
      let control = try test.client(.control)
      for (limit, ids) in [(nil, ["a", "b", "c"]), (2, ["a", "b"]), (Int.max, ["a", "b", "c"])]
        as [(Int?, [String])]
      {
        let reply = try await control.call(Methods.Pending.self, .init(limit: limit))
        #expect(reply.requests.map(\.request.id) == ids)
        #expect(reply.total == 3)
      }
      for limit in [0, -1, Int.min] {
        let error = await #expect(throws: BrokerError.self) {
          try await control.call(Methods.Pending.self, .init(limit: limit))
        }
        #expect("\(error as Any)".contains("must be 1 or more"))
      }
    }
  }

  @Test("An answer from the command line takes the alert off the dashboard")
  func answerShown() async throws {
    try await withBroker { test in
      let (client, id) = try await waitingClient(test)
      let alert = await test.presenter.next()
      try await test.answer(id, .init(verdict: .deny))
      #expect(await test.presenter.nextWithdrawn() == alert)
      #expect(try await client.next(of: Ask.self).state == .denied)
    }
  }

  @Test("Dismissing ends a request without an answer")
  func dismiss() async throws {
    try await withBroker { test in
      let (client, id) = try await waitingClient(test)
      _ = try await test.client(.control).call(Methods.Answer.self, .init(id: id))
      #expect(try await client.next(of: Ask.self).state == .dismissed)
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("A decision made meanwhile answers the requests that it covers")
  func covered() async throws {
    try await withBroker { test in
      let (client, _) = try await waitingClient(test)
      _ = try await test.client(.control).call(
        Methods.Deny.self, .init(program: "backup", capability: "deploy"))
      #expect(try await client.next(of: Ask.self).state == .denied)
    }
  }

  @Test("Allowing, denying, forgetting and undoing are seen in the store and the journal")
  func decisions() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      let allowed = try await control.call(
        Methods.Allow.self, .init(program: "ci", capability: "deploy:staging,production", note: "tested"))
      #expect(allowed.decisions.map(\.part) == ["production", "staging"])
      #expect(allowed.decisions.allSatisfy { $0.verdict == .allow && $0.program.path == nil })
      let preview = try await control.call(Methods.Undo.self, .init(preview: true))
      #expect(preview.entries.count == 2)
      #expect(try test.store.decisions().count == 2)
      _ = try await control.call(Methods.Undo.self, .init())
      #expect(try test.store.decisions().isEmpty)
      await #expect(throws: BrokerError.nothingToUndo) { try await control.call(Methods.Undo.self, .init()) }

      _ = try await control.call(Methods.Deny.self, .init(program: "ci", capability: "deploy"))
      let forgotten = try await control.call(Methods.Forget.self, .init(program: "ci", capability: "deploy"))
      #expect(forgotten.decisions.count == 1)
      let log = try await control.call(Methods.Log.self, .init(label: "ci", limit: 3)).entries
      #expect(log.map(\.kind).first == .forgotten)
      #expect(log.count == 3)
    }
  }

  @Test("Decisions about several programs are one change, and if one of them cannot be made, none is")
  func together() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      let allow = Wire.Ruling(
        verdict: .allow, program: "ci", capabilities: [.init(capability: "deploy:staging")],
        lifetime: Wire.LifetimeChoice(.session))
      let secret = try Wire.Requirement(TestBroker.catalogue.parse("files:read@/srv/secret/"))
      let deny = Wire.Ruling(verdict: .deny, program: "everyone", capabilities: [secret])
      let wrong = Wire.Ruling(
        verdict: .allow, program: "everyone", capabilities: [.init(capability: "deploy")])
      await #expect(throws: BrokerError.self) {
        try await control.call(Methods.Decide.self, .init(rulings: [allow, deny, wrong]))
      }
      #expect(try test.store.decisions().isEmpty)
      let reply = try await control.call(Methods.Decide.self, .init(rulings: [allow, deny]))
      #expect(reply.decisions.map(\.verdict) == [.allow, .deny])
      #expect(try test.store.decisions().count == 2)
      _ = try await control.call(Methods.Undo.self, .init())
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("A wrong program, capability, lifetime or origin is refused, and nothing changes")
  func wrongChanges() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      let wrong: [Methods.RulingParameters] = [
        .init(program: "a\u{1b}", capability: "deploy"), .init(program: "", capability: "deploy"),
        .init(program: "/no/such/file", capability: "deploy"), .init(program: "ci", capability: "nothing"),
        .init(program: "ci", capability: "deploy", lifetime: Wire.LifetimeChoice(.once)),
        .init(program: "ci", capability: "deploy", lifetime: .init(kind: .duration)),
        .init(program: "ci", capability: "deploy", origin: "rule x"),
      ]
      for parameters in wrong {
        await #expect(throws: BrokerError.self, "\(parameters)") {
          try await control.call(Methods.Allow.self, parameters)
        }
      }
      await #expect(throws: BrokerError.noSuchProgram("ci", meant: nil)) {
        try await control.call(Methods.Forget.self, .init(program: "ci"))
      }
      #expect(try test.journal().isEmpty)
    }
  }

  @Test("A label that several programs go by is refused with their paths, and a path settles it")
  func ambiguous() async throws {
    try await withBroker { test in
      for path in ["/bin/dash", "/bin/bash"] {
        let subject = Subject(label: "sh", path: path, file: FileIdentity(ofFileAt: path))
        try test.store.decide(
          Ruling(.allow, subject: subject, atoms: [Atom("deploy", "staging")]), by: .commandLine)
      }
      let control = try test.client(.control)
      do {
        _ = try await control.call(Methods.Forget.self, .init(program: "sh"))
        Issue.record("it was taken")
      } catch BrokerError.ambiguousProgram(_, let subjects) {
        #expect(subjects.map(\.path) == ["/bin/bash", "/bin/dash"])
      }
      #expect(
        try await control.call(Methods.Forget.self, .init(program: "sh@/bin/bash")).decisions.count == 1)
      #expect(try await control.call(Methods.Forget.self, .init(program: "/bin/dash")).decisions.count == 1)
    }
  }

  @Test("Watching tells every change from a position on, without a gap")
  func watch() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      _ = try await control.call(Methods.Allow.self, .init(program: "before", capability: "deploy"))
      let watcher = try test.client(.control)
      try await watcher.send(Methods.Watch.self, .init(after: 0))
      var labels: [String] = []
      labels += try await watcher.next(of: Methods.Watch.self).entries.compactMap(\.program?.label)
      for name in ["one", "two"] {
        _ = try await control.call(Methods.Allow.self, .init(program: name, capability: "deploy"))
      }
      while labels.count < 3 {
        labels += try await watcher.next(of: Methods.Watch.self).entries.compactMap(\.program?.label)
      }
      #expect(labels == ["before", "one", "two"])
    }
  }
}
