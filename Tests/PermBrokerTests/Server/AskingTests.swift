import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("Programs ask the broker")
struct AskingTests {
  private typealias Ask = Methods.Request

  @Test("An alert, the list of what waits and the store tell which programs started the one that asks")
  func chain() async throws {
    let test = try TestBroker()
    test.see(chain: ["sshd", "bash", "backup.sh"])
    let client = try test.client()
    try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"), more: true)
    let alert = try #require(await test.presenter.nextRequest())
    #expect(alert.request.evidence?.chain == ["sshd", "bash", "backup.sh"])
    #expect(
      try await test.pending(alert.request.id.text).request.evidence?.chain == alert.request.evidence?.chain)
    #expect(try test.store.waitingRequests().first?.request.evidence?.chain == alert.request.evidence?.chain)
    test.presenter.answer(.deny)
    try await test.untilNothingWaits()
    await test.broker.stop()
  }

  @Test("An alert shows what was seen, and the answer goes back", arguments: [Verdict.allow, .deny])
  func answer(_ verdict: Verdict) async throws {
    try await withBroker { test in
      async let reply = test.ask("deploy:production")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject.label == "backup")
      #expect(alert.request.subject.path == "/home/ana/bin/backup.sh")
      #expect(alert.request.atoms == [Atom("deploy", "production")])
      #expect(alert.identity == .firstTime)
      test.presenter.answer(verdict)
      let end1 = try await reply
      #expect(end1.state == (verdict == .allow ? .allowed : .denied))
      #expect(try test.journal() == [.asked, .shown, .answered])
    }
  }

  @Test("An answer that is kept answers the next request at once; one given once does not")
  func known() async throws {
    try await withBroker { test in
      async let first = test.ask()
      _ = await test.presenter.next()
      test.presenter.answer(.allow, .once)
      let end2 = try await first
      #expect(end2.state == .allowed)

      async let second = test.ask()
      _ = await test.presenter.next()
      test.presenter.answer(.allow, .forever)
      let end3 = try await second
      #expect(end3.state == .allowed)

      let third = try await test.ask()
      #expect(third.state == .allowed)
      #expect(try test.store.decisions().first?.origin == .dashboard(id: "test"))
    }
  }

  @Test(
    "A time that nobody can mean is refused, and the broker goes on",
    arguments: [
      Methods.Request.Parameters(capability: "deploy", milliseconds: -1),
      .init(capability: "deploy", milliseconds: .max),
      .init(capability: "deploy", lifetime: .init(kind: .duration, milliseconds: .max)),
      .init(capability: "deploy", lifetime: .init(kind: .until, until: .min)),
    ])
  func endsOfTime(_ parameters: Methods.Request.Parameters) async throws {
    try await withBroker { test in
      await #expect(throws: BrokerError.self) { try await test.client().call(Ask.self, parameters) }
      _ = try await test.client().call(VarlinkService.GetInfo.self, .init())
    }
  }

  @Test("A refusal says why where there is more to say: the panic, or that less is allowed")
  func refusals() async throws {
    try await withBroker { test in
      async let reply = test.ask("deploy:staging")
      let subject = try #require(await test.presenter.nextRequest()).request.subject
      test.presenter.answer(.deny)
      let denied = try await reply
      #expect(denied.explanation == nil)

      try test.store.decide(
        Ruling(.allow, subject: subject, atoms: [Atom("deploy", "staging")]), by: .commandLine)
      try test.store.decide(
        Ruling(.deny, subject: subject, atoms: [Atom("deploy", "production")]), by: .commandLine)
      #expect(try await test.ask("deploy:production").explanation == "only deploy:staging is allowed")
      try test.store.setSuspended(true, by: .commandLine)
      #expect(try await test.ask("deploy:staging").explanation == "all allows are suspended")
    }
  }

  @Test("A moment without an end is taken as one that never comes")
  func endOfTime() async throws {
    try await withBroker { test in
      async let reply = test.client().call(
        Ask.self, .init(capability: "deploy", lifetime: .init(kind: .until, until: .max)))
      _ = await test.presenter.next()
      test.presenter.answer(.allow, .until(Timestamp(microseconds: .max)))
      let end = try await reply
      #expect(end.state == .allowed)
      #expect(try test.store.decisions().count == 1)
    }
  }

  @Test("A program's suggestion is shown, and the answer is the one that the person chose")
  func suggestion() async throws {
    try await withBroker { test in
      let parameters = Ask.Parameters(
        capability: "deploy", label: "backup", lifetime: .init(kind: .duration, milliseconds: 5_400_000))
      async let reply = test.client().call(Ask.self, parameters)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.suggestedLifetime == .duration(.seconds(5400)))
      let pending = try await test.client(.control).call(Methods.Pending.self, .init()).requests
      #expect(try pending.first?.request.checkedRequest().suggestedLifetime == .duration(.seconds(5400)))
      test.presenter.answer(.allow, .once)
      let end = try await reply
      #expect(end.state == .allowed)
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("A client that takes several replies is told first that it waits, and who could answer")
  func waiting() async throws {
    try await withBroker { test in
      let client = try test.client()
      let id = String(repeating: "a1", count: 16)
      try await client.send(Ask.self, .init(id: id, capability: "deploy", label: "backup"))
      let first = try await client.next(of: Ask.self)
      #expect(first.state == .waiting)
      #expect(first.presenters == 1)
      #expect(first.id == id)
      _ = await test.presenter.next()
      test.presenter.answer(.dismissed)
      #expect(try await client.next(of: Ask.self).state == .dismissed)
    }
  }

  @Test("Without a dashboard a request waits for the first that comes")
  func noDashboard() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try test.client()
      try await client.send(Ask.self, .init(capability: "deploy", label: "backup"))
      #expect(try await client.next(of: Ask.self).presenters == 0)
      #expect(try test.journal() == [.asked], "the journal says that it was shown to nobody")
      test.broker.keeper.attach(test.presenter, dashboard: "late")
      #expect(try await client.next(of: Ask.self).presenters == 1)
      _ = await test.presenter.next()
      test.presenter.answer(.allow)
      #expect(try await client.next(of: Ask.self).state == .allowed)
      #expect(try test.journal() == [.asked, .shown, .answered])
    }
  }

  @Test("When the client goes away its alert is taken away and the request withdrawn")
  func clientGone() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Ask.self, .init(capability: "deploy", label: "backup"))
      let alert = await test.presenter.next()
      await client.disconnect()
      #expect(await test.presenter.nextWithdrawn() == alert)
      try await test.untilNothingWaits()
      #expect(try test.journal().last == .withdrawn)
    }
  }

  @Test("A program that became another while the person read gets no yes, and nothing is kept")
  func changedProgram() async throws {
    for change in [TestBroker.program("/home/ana/bin/other.sh"), nil] {
      try await withBroker { test in
        async let reply = test.ask()
        _ = await test.presenter.next()
        test.see(change)
        test.presenter.answer(.allow, .forever)
        let end4 = try await reply
        #expect(end4.state == .withdrawn)
        let kept = try test.store.decisions()
        #expect(kept.isEmpty)
        #expect(try test.journal() == [.asked, .shown, .withdrawn])
      }
    }
  }

  @Test("A request that nobody answers in time has timed out")
  func timeOut() async throws {
    try await withBroker { test in
      let reply = try await test.client().call(
        Ask.self, .init(capability: "deploy", label: "a", milliseconds: 20))
      #expect(reply.state == .timedOut)
      #expect(try test.journal().last == .timedOut)
    }
  }

  @Test("An unavailable capability is reported at once, with the way to change that")
  func unavailable() async throws {
    try await withBroker { test in
      let reply = try await test.ask("teleport")
      #expect(reply.state == .unavailable)
      #expect(reply.explanation?.contains("there is no teleporter") == true)
    }
  }

  @Test("A wrong capability is refused with a suggestion")
  func unknownCapability() async throws {
    try await withBroker { test in
      await #expect(throws: BrokerError.self) { try await test.ask("deplyo") }
      do {
        _ = try await test.ask("deplyo")
      } catch let error as BrokerError {
        #expect("\(error)".contains("did you mean \"deploy\""))
      }
    }
  }

  @Test("Texts that deceive are refused, with the parameter's name")
  func texts() async throws {
    try await withBroker { test in
      let calls: [(String, Ask.Parameters)] = [
        ("label", .init(capability: "deploy", label: "back\u{202e}up")),
        ("label", .init(capability: "deploy", label: "")),
        ("reason", .init(capability: "deploy", label: "a", reason: String(repeating: "x", count: 300))),
        ("id", .init(id: "short", capability: "deploy", label: "a")),
        ("id", .init(id: String(repeating: "A", count: 20), capability: "deploy", label: "a")),
        ("lifetime", .init(capability: "deploy", label: "a", lifetime: .init(kind: .until, until: 1))),
        ("lifetime", .init(capability: "deploy", label: "a", lifetime: .init(kind: .duration))),
        ("milliseconds", .init(capability: "deploy", label: "a", milliseconds: -1)),
      ]
      for (parameter, call) in calls {
        do {
          let reply = try await test.client().call(Ask.self, call)
          Issue.record("\(parameter) was taken: \(reply)")
        } catch let error as BrokerError {
          guard case .invalid(parameter, _) = error else {
            Issue.record("\(error)")
            continue
          }
        }
      }
      #expect(try test.journal().isEmpty)
    }
  }

  @Test("A request without a label goes by the name of its file")
  func noLabel() async throws {
    try await withBroker { test in
      async let reply = test.ask(label: nil)
      #expect(await test.presenter.nextRequest()?.request.subject.label == "backup.sh")
      test.presenter.answer(.deny)
      _ = try await reply
    }
  }

  @Test("The same label from another file asks again, with a warning, and can be allowed only once")
  func impostor() async throws {
    try await withBroker { test in
      async let first = test.ask()
      _ = await test.presenter.next()
      test.presenter.answer(.allow, .forever)
      _ = try await first
      test.see(TestBroker.program("/tmp/backup.sh"))
      async let second = test.ask()
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.identity == .mismatch(seenBefore: "/home/ana/bin/backup.sh"))
      #expect(alert.lifetimes.filter { $0.reason(against: .allow) == nil }.map(\.choice) == [.once])
      #expect(alert.lifetimes.allSatisfy { $0.reason(against: .deny) == nil })
      test.presenter.answer(.deny)
      let end5 = try await second
      #expect(end5.state == .denied)
    }
  }

  @Test("A program that cannot be known is answered once, whoever answers")
  func doubt() async throws {
    try await withBroker { test in
      var hidden = TestBroker.program("/usr/bin/permtui", doubt: "it hides")
      hidden.evidence.isUnreadable = true
      test.see(hidden)
      async let reply = test.ask()
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.identity == .unknown)
      let id = alert.request.id.text
      await #expect(throws: BrokerError.self) {
        try await test.answer(id, Wire.Response(verdict: .allow, lifetime: Wire.LifetimeChoice(.forever)))
      }
      try await test.answer(id, .init(verdict: .allow))
      let end6 = try await reply
      #expect(end6.state == .allowed)
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("Two programs may not wait under one id")
  func sameID() async throws {
    try await withBroker { test in
      let id = String(repeating: "0", count: 32)
      let first = try test.client()
      try await first.send(Ask.self, .init(id: id, capability: "deploy", label: "backup"))
      _ = try await first.next(of: Ask.self)
      await #expect(
        throws: BrokerError.invalid(parameter: "id", reason: "a request of this id waits already")
      ) {
        try await test.client().call(Ask.self, .init(id: id, capability: "deploy", label: "backup"))
      }
    }
  }

  @Test("Status tells what holds and asks nobody")
  func status() async throws {
    try await withBroker { test in
      let client = try test.client()
      let before = try await client.call(Methods.Status.self, .init(capability: "deploy", label: "backup"))
      #expect(before.state == .ask)
      async let reply = test.ask()
      _ = await test.presenter.next()
      test.presenter.answer(.allow, .forever)
      _ = try await reply
      let after = try await client.call(Methods.Status.self, .init(capability: "deploy", label: "backup"))
      #expect(after.state == .allowed)
      #expect(after.allowed == ["staging"])
      let other = try await client.call(Methods.Status.self, .init(capability: "deploy", label: "other"))
      #expect(other.state == .ask)
      #expect(other.allowed.isEmpty && other.denied.isEmpty)
    }
  }

  @Test("Status goes on to tell what changes, to who takes several replies")
  func statusStream() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Methods.Status.self, .init(capability: "deploy", label: "backup"))
      let before = try await client.next(of: Methods.Status.self)
      #expect(before.state == .ask)
      _ = try await test.client(.control).call(
        Methods.Allow.self, .init(program: "/bin/dash", capability: "deploy"))
      _ = try await test.client(.control).call(
        Methods.Allow.self, .init(program: "backup", capability: "deploy"))
      let after = try await client.next(of: Methods.Status.self)
      #expect(after.state == .allowed)
    }
  }

  @Test("A flood is told so, the journal sums it up, and another program is not held up")
  func flood() async throws {
    var limits = RequestLimits.Settings()
    limits.program.interval = .seconds(3600)
    try await withBroker(limits: limits) { test in
      var refused = 0
      var clients: [TestClient] = []
      for number in 0..<30 {
        let client = try test.client()
        clients.append(client)
        // Each has another label, so that none joins another.
        try await client.send(Ask.self, .init(capability: "deploy", label: "flood \(number)"))
        do {
          _ = try await client.next(of: Ask.self)
        } catch BrokerError.tooMuch {
          refused += 1
        }
      }
      #expect(refused == 25)
      test.see(TestBroker.program("/usr/bin/other"))
      let other = try test.client()
      try await other.send(Ask.self, .init(capability: "deploy", label: "other"))
      #expect(try await other.next(of: Ask.self).state == .waiting)
      test.broker.answers.write()
      let automatic = try test.store.journal(JournalFilter(kinds: [.automatic]), .newest(100))
      #expect(automatic.map(\.count).reduce(0, +) == 25)
    }
  }

  @Test("A muted flood and one in a panic are a line each in the journal", arguments: [true, false])
  func silentFlood(isMuted: Bool) async throws {
    try await withBroker { test in
      async let first = test.ask(label: "first")
      let subject = try #require(await test.presenter.nextRequest()).request.subject
      test.presenter.answer(.answered(Answer(.deny, atoms: [Atom("deploy", "staging")], mutes: isMuted)))
      _ = try await first
      try test.store.decide(
        Ruling(.allow, subject: subject, atoms: [Atom("deploy", "production")]), by: .commandLine)
      if !isMuted { try test.store.setSuspended(true, by: .commandLine) }
      let client = try test.client()
      for number in 0..<40 {
        let call = Ask.Parameters(capability: "deploy:production", label: "label \(number)")
        let reply = try await client.call(Ask.self, call)
        #expect(reply.state == .denied)
      }
      test.broker.answers.write()
      let automatic = try test.store.journal(JournalFilter(kinds: [.automatic]), .newest(100))
      #expect(automatic.map(\.count) == [40])
    }
  }

  @Test("A program that cannot be told stays muted under another label")
  func mutedDoubt() async throws {
    try await withBroker { test in
      test.see(TestBroker.program("/usr/bin/python3", doubt: "it runs no file"))
      async let first = test.ask(label: "one")
      _ = await test.presenter.next()
      test.presenter.answer(.answered(Answer(.deny, atoms: [Atom("deploy", "staging")], mutes: true)))
      let muting = try await first
      #expect(muting.state == .denied)
      let second = try await test.ask(label: "two")
      #expect(second.state == .denied)
      #expect(second.explanation == "muted")
      // The mute ends with its decision.
      try test.store.forget(DecisionFilter(label: "one"), by: .commandLine)
      async let third = test.ask(label: "three")
      _ = await test.presenter.next()
      test.presenter.answer(.deny)
      #expect(try await third.state == .denied)
    }
  }

  @Test("Requests that a person answers do not use up a program's turn")
  func answeredRequests() async throws {
    try await withBroker { test in
      for _ in 0..<20 {
        async let reply = test.ask()
        _ = await test.presenter.next()
        test.presenter.answer(.deny)
        let end = try await reply
        #expect(end.state == .denied)
      }
    }
  }

  @Test("One program gets so many calls of Status that wait, and another its own")
  func streams() async throws {
    try await withBroker { test in
      var clients: [TestClient] = []
      for _ in 0..<AskingLedger.mostStreams {
        let client = try test.client()
        try await client.send(Methods.Status.self, .init(capability: "deploy", label: "backup"))
        _ = try await client.next(of: Methods.Status.self)
        clients.append(client)
      }
      let last = try test.client()
      try await last.send(Methods.Status.self, .init(capability: "deploy", label: "backup"))
      await #expect(throws: BrokerError.self) { try await last.next(of: Methods.Status.self) }
      _ = try await last.call(Methods.Status.self, .init(capability: "deploy", label: "backup"))
      test.see(TestBroker.program("/usr/bin/other"))
      try await last.send(Methods.Status.self, .init(capability: "deploy", label: "backup"))
      _ = try await last.next(of: Methods.Status.self)
    }
  }

  @Test("Requests of one program for the same share an alert and an answer, and count as one")
  func joining() async throws {
    try await withBroker(hasDashboard: false) { test in
      var clients: [TestClient] = []
      for _ in 0..<12 {
        let client = try test.client()
        try await client.send(Ask.self, .init(capability: "deploy", label: "backup"))
        #expect(try await client.next(of: Ask.self).state == .waiting)
        clients.append(client)
      }
      test.broker.keeper.attach(test.presenter, dashboard: "late")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.joined.count == 11)
      test.presenter.answer(.allow)
      for client in clients {
        #expect(try await client.end().state == .allowed)
      }
    }
  }

  @Test(
    "A request that comes once the alert is on the screen takes its own place, and is limited like any other")
  func afterTheAlert() async throws {
    var limits = RequestLimits.Settings()
    limits.program = .init(burst: 2, interval: .seconds(3600))
    try await withBroker(limits: limits) { test in
      var clients: [TestClient] = []
      for place in 1...2 {
        let client = try test.client()
        clients.append(client)
        try await client.send(Ask.self, .init(capability: "deploy", label: "backup"))
        #expect(try await client.next(of: Ask.self).state == .waiting)
        if place == 1 { _ = await test.presenter.next() }
      }
      // The second alert waits in line, so this one shares it.
      let third = try test.client()
      try await third.send(Ask.self, .init(capability: "deploy", label: "backup"))
      #expect(try await third.next(of: Ask.self).state == .waiting)
      test.presenter.answer(.dismissed)
      _ = await test.presenter.next()
      let fourth = try test.client()
      try await fourth.send(Ask.self, .init(capability: "deploy", label: "backup"))
      await #expect(throws: BrokerError.self) { try await fourth.next(of: Ask.self) }
      withExtendedLifetime((clients, third)) {}
    }
  }

  @Test("When a broker goes away the next one takes over what waits, under the same id")
  func takeOver() async throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let id = String(repeating: "7", count: 32)
    let first = try TestBroker(store: store)
    let client = try first.client()
    try await client.send(Ask.self, .init(id: id, capability: "deploy", label: "backup"))
    #expect(await first.presenter.next().id == Alert.ID(id))
    await first.broker.stop()
    await #expect(throws: BrokerError.disconnected) {
      // The first reply came before the broker went away.
      _ = try await client.next(of: Ask.self)
      _ = try await client.next(of: Ask.self)
    }
    #expect(try store.waitingRequests().map(\.id.text) == [id])

    let second = try TestBroker(store: store)
    let again = try second.client()
    try await again.send(Ask.self, .init(id: id, capability: "deploy", label: "backup"))
    #expect(await second.presenter.next().id == Alert.ID(id))
    second.presenter.answer(.allow)
    _ = try await again.next(of: Ask.self)
    #expect(try await again.next(of: Ask.self).state == .allowed)
    #expect(try store.waitingRequests().isEmpty)
    await second.broker.stop()
  }
}
