import Machine
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("An alert that was set aside, with two dashboards", .timeLimit(.minutes(5)))
struct AttachedPresentersTests {
  /// Asks, and sets the alert aside on the dashboard that came last. Then runs the test, and waits for a yes.
  private func withAlertSetAside(
    _ body: (_ broker: TestBroker, _ second: TestPresenter, Alert) async throws -> Void
  ) async throws {
    try await withBroker { broker in
      let second = TestPresenter()
      broker.broker.keeper.attach(second, dashboard: "second")
      async let reply = broker.ask()
      let alert = await second.next()
      #expect(await broker.presenter.next().id == alert.id)
      second.answer(.setAside)
      #expect(await broker.presenter.nextWithdrawn().id == alert.id)
      for try await _ in try broker.store.changes(since: 0)
      where try broker.store.waitingRequests().contains(where: { $0.setAsideAt != nil }) { break }
      try await body(broker, second, alert)
      let end = try await reply
      #expect(end.state == .allowed)
    }
  }

  @Test("moves to the other one when its own closes")
  func moves() async throws {
    try await withAlertSetAside { broker, _, alert in
      broker.broker.keeper.detach(dashboard: "second")
      #expect(await broker.presenter.next().id == alert.id)
      try expectSecond(.reopened, in: broker)
      broker.presenter.answer(.allow)
    }
  }

  /// Checks that the second dashboard is the origin of the only entry of a kind.
  private func expectSecond(_ kind: JournalEntry.Kind, in broker: TestBroker) throws {
    let entries = try broker.store.journal(JournalFilter(kinds: [kind]), .newest(9))
    #expect(entries.map(\.origin) == [Origin.dashboard(id: "second")])
  }

  @Test("is journalled with the dashboard that set it aside and that reopened it")
  func journalled() async throws {
    try await withAlertSetAside { broker, second, alert in
      try expectSecond(.setAside, in: broker)
      #expect(second.reopen(alert.id))
      _ = await second.next()
      try expectSecond(.reopened, in: broker)
      second.answer(.allow)
    }
  }

  @Test("comes back on all of them when it is reopened, on one that came later, too")
  func returns() async throws {
    try await withAlertSetAside { broker, second, alert in
      let third = TestPresenter()
      broker.broker.keeper.attach(third, dashboard: "third")
      #expect(third.showing == nil)
      #expect(second.reopen(alert.id))
      #expect(await second.next().id == alert.id)
      #expect(await third.next().id == alert.id)
      #expect(await broker.presenter.next().id == alert.id)
      second.answer(.allow)
    }
  }

  @Test("leaves its dashboard when its asker goes away")
  func withdrawn() async throws {
    try await withBroker { broker in
      let client = try broker.client()
      try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      let alert = await broker.presenter.next()
      broker.presenter.answer(.setAside)
      await client.disconnect()
      #expect(await broker.presenter.nextWithdrawn().id == alert.id)
      #expect(!broker.presenter.reopen(alert.id))
    }
  }
}

@Suite("An alert with two dashboards", .timeLimit(.minutes(5)))
struct SharedAlertTests {
  @Test("is shown on both, and the first answer wins", arguments: [true, false])
  func first(isSecond: Bool) async throws {
    try await withBroker { broker in
      let second = TestPresenter()
      broker.broker.keeper.attach(second, dashboard: "second")
      async let reply = broker.ask()
      let alert = await second.next()
      #expect(await broker.presenter.next().id == alert.id)
      let (one, other) = isSecond ? (second, broker.presenter) : (broker.presenter, second)
      one.answer(.deny)
      #expect(await other.nextWithdrawn().id == alert.id)
      #expect(other.showing == nil)
      let end = try await reply
      #expect(end.state == .denied)
      let answered = try broker.store.journal(JournalFilter(kinds: [.answered]), .newest(5))
      #expect(answered.count == 1)
      if isSecond { #expect(answered.first?.origin == .dashboard(id: "second")) }
      let shown = try broker.store.journal(JournalFilter(kinds: [.shown]), .newest(5))
      #expect(shown.count == 1)
    }
  }

  @Test("comes up on a dashboard that is attached while it is shown, and stays where one leaves")
  func later() async throws {
    try await withBroker { broker in
      async let reply = broker.ask()
      let alert = await broker.presenter.next()
      let second = TestPresenter()
      broker.broker.keeper.attach(second, dashboard: "second")
      #expect(await second.next().id == alert.id)
      broker.broker.keeper.detach(dashboard: "second")
      #expect(await second.nextWithdrawn().id == alert.id)
      #expect(broker.presenter.showing?.id == alert.id)
      broker.presenter.answer(.allow)
      let end = try await reply
      #expect(end.state == .allowed)
    }
  }
}

@Suite("A waiting request", .timeLimit(.minutes(5)))
struct ShownElsewhereTests {
  @Test("says whether a dashboard shows its alert: not one that declines it, nor one that has set it aside")
  func shown() async throws {
    try await withBroker { test in
      async let reply = test.ask()
      let alert = await test.presenter.next()
      guard case .request(let content) = alert.content else { return }
      let id = content.request.id.text
      #expect(try await test.pending(id).isOnScreen)
      test.presenter.answer(.setAside)
      try await until { try await !test.pending(id).isOnScreen }
      #expect(test.presenter.reopen(alert.id))
      _ = await test.presenter.next()
      #expect(try await test.pending(id).isOnScreen)
      test.broker.keeper.detach(dashboard: "test")
      try await until { try await !test.pending(id).isOnScreen }
      test.broker.keeper.attach(test.presenter, dashboard: "late")
      _ = await test.presenter.next()
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
    }
  }
}

@Suite("The id of a dashboard", .timeLimit(.minutes(5)))
struct DashboardIDTests {
  /// Plays a dashboard of another process, which is attached under the id.
  private func attachOther(_ id: String, to test: TestBroker) {
    #expect(test.broker.keeper.attach(dashboard: id, of: 1) != nil)
  }

  @Test("cannot be taken by another process, and its alerts stay there")
  func taken() async throws {
    try await withBroker { test in
      attachOther("theirs", to: test)
      for id in ["test", "theirs"] {
        let client = try test.client(.control)
        try await client.send(Methods.Attach.self, .init(dashboard: id))
        await #expect(
          throws: BrokerError.invalid(
            parameter: "dashboard", reason: "another process has attached under this id")
        ) { _ = try await client.next(of: Methods.Attach.self) }
      }
      async let reply = test.ask()
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
    }
  }

  @Test("is taken over by the same operator only, whose earlier connection may be lost")
  func takenOver() async throws {
    try await withBroker(hasDashboard: false) { test in
      let keeper = test.broker.keeper
      let (ana, bob) = ("ana", "bob")
      let lost = try #require(keeper.attach(dashboard: "far", of: 1, operator: ana))
      #expect(keeper.attach(dashboard: "far", of: 2, operator: bob) == nil)
      #expect(keeper.attach(dashboard: "far", of: 2) == nil)
      #expect(keeper.picture(of: lost) != nil)
      let found = try #require(keeper.attach(dashboard: "far", of: 2, operator: ana))
      #expect(keeper.picture(of: lost) == nil && keeper.screens.map(\.id) == [found])
      // One that no operator has attached is not taken over by one.
      _ = try #require(keeper.attach(dashboard: "near", of: 3))
      #expect(keeper.attach(dashboard: "near", of: 4, operator: ana) == nil)
    }
  }

  @Test("counts only from the process that attached under it: another one cannot answer or hold there")
  func used() async throws {
    try await withBroker { test in
      attachOther("theirs", to: test)
      let client = try test.client(.control)
      async let reply = test.ask()
      let alert = await test.presenter.next()
      await #expect(throws: BrokerError.noSuchRequest(alert.id.text)) {
        _ = try await client.call(
          Methods.Respond.self,
          .init(
            dashboard: "theirs", alert: alert.id.text, response: .dismissed, digest: alert.digest.description)
        )
      }
      test.broker.keeper.hold(true, dashboard: "test")
      _ = try await client.call(Methods.Hold.self, .init(dashboard: "theirs", holds: true))
      #expect(test.broker.keeper.isAttended)
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
    }
  }

  @Test("can be used again by the same process, which connects again")
  func again() async throws {
    try await withBroker(hasDashboard: false) { test in
      let clients = [try test.client(.control), try test.client(.control)]
      for client in clients {
        try await client.send(Methods.Attach.self, .init(dashboard: "ours"))
        _ = try await client.next(of: Methods.Attach.self)
      }
      async let reply = test.ask()
      let shown = try await clients[1].next(of: Methods.Attach.self)
      let alert = try #require(try shown.show?.first?.alert.alert())
      _ = try await test.client(.control).call(
        Methods.Respond.self,
        .init(
          dashboard: "ours", alert: alert.id.text, response: .dismissed, digest: alert.digest.description))
      #expect(try await reply.state != .allowed)
    }
  }
}

@Suite("A dashboard that follows a broker in another process", .timeLimit(.minutes(5)))
struct BoardFollowerTests {
  /// Attaches a dashboard over the socket, runs the test with its pictures, and detaches it.
  private func withFollower(
    _ body: (TestBroker, BoardFollower, AsyncStream<ScreenPicture>) async throws -> Void
  ) async throws {
    try await withBroker(hasDashboard: false) { broker in
      let follower = BoardFollower(BrokerClient(addresses: [broker.address]), dashboard: "elsewhere")
      let (pictures, sent) = AsyncStream.makeStream(of: ScreenPicture.self)
      let running = Task { try await follower.run { sent.yield($0) } }
      for await picture in pictures {
        #expect(picture == ScreenPicture())
        break
      }
      try await body(broker, follower, pictures)
      running.cancel()
      _ = await running.result
    }
  }

  private func next(_ pictures: AsyncStream<ScreenPicture>, where isMeant: (ScreenPicture) -> Bool) async
    -> ScreenPicture
  {
    for await picture in pictures where isMeant(picture) { return picture }
    return ScreenPicture()
  }

  private func yes(to alert: Alert) throws -> AlertResponse {
    guard case .request(let request) = alert.content else { throw AnswerRefused.changed }
    return .answered(Answer(.allow, atoms: request.choices[0].atoms, lifetime: .once))
  }

  @Test("has an answer stored by the time at which the call returns")
  func stored() async throws {
    try await withFollower { broker, follower, pictures in
      async let reply = broker.ask()
      let alert = try #require(await next(pictures) { !$0.shown.isEmpty }.shown.first?.alert)
      try await follower.respond(alert.id, yes(to: alert), to: alert.digest)
      #expect(try broker.store.waitingRequests().isEmpty)
      follower.leave()
      #expect(try await reply.state == .allowed)
    }
  }

  @Test("has what was set aside in its picture, by its id alone, until it comes up again")
  func aside() async throws {
    try await withFollower { broker, follower, pictures in
      async let reply = broker.ask()
      let first = try #require(await next(pictures) { !$0.shown.isEmpty }.shown.first)
      let alert = first.alert
      try await follower.respond(alert.id, .setAside, to: alert.digest)
      #expect(await next(pictures) { !$0.aside.isEmpty }.aside == [alert])
      try await follower.reopen(alert.id)
      let again = await next(pictures) { !$0.shown.isEmpty }
      #expect(again.aside.isEmpty && again.shown.map(\.alert) == [alert])
      #expect(again.shown.map(\.number) != [first.number])
      try await follower.respond(alert.id, yes(to: alert), to: alert.digest)
      #expect(try await reply.state == .allowed)
    }
  }

  @Test("is told that an answer has no effect: it was read otherwise, came twice, or was not on offer")
  func refused() async throws {
    try await withFollower { broker, follower, pictures in
      async let reply = broker.ask()
      let alert = try #require(await next(pictures) { !$0.shown.isEmpty }.shown.first?.alert)
      let other = Alert(id: alert.id, content: .notice(Notice(title: "other")))
      await #expect(throws: AnswerRefused.changed) {
        try await follower.respond(alert.id, yes(to: alert), to: other.digest)
      }
      let more = AlertResponse.answered(Answer(.allow, atoms: [Atom("photos", "read")], lifetime: .once))
      await #expect(throws: BrokerError.self) {
        try await follower.respond(alert.id, more, to: alert.digest)
      }
      #expect(try broker.store.waitingRequests().count == 1)
      try await follower.respond(alert.id, yes(to: alert), to: alert.digest)
      await #expect(throws: AnswerRefused.notShown(alert.id)) {
        try await follower.respond(alert.id, yes(to: alert), to: alert.digest)
      }
      #expect(try await reply.state == .allowed)
    }
  }
}
