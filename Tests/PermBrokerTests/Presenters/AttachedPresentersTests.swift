import PermModel
import Testing

@testable import PermBroker

@Suite("An alert that was set aside, with two dashboards", .timeLimit(.minutes(1)))
struct AttachedPresentersTests {
  /// Asks, and sets the alert aside on the dashboard that came last. Then runs the test, and waits for a yes.
  private func withAlertSetAside(
    _ body: (_ broker: TestBroker, _ second: TestPresenter, Alert) async throws -> Void
  ) async throws {
    try await withBroker { broker in
      let second = TestPresenter()
      broker.broker.presenters.attach(second, dashboard: "second")
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
      broker.broker.presenters.detach(dashboard: "second")
      #expect(await broker.presenter.next().id == alert.id)
      broker.presenter.answer(.allow)
    }
  }

  @Test("comes back on all of them when it is reopened, on one that came later, too")
  func returns() async throws {
    try await withAlertSetAside { broker, second, alert in
      let third = TestPresenter()
      broker.broker.presenters.attach(third, dashboard: "third")
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

@Suite("An alert with two dashboards", .timeLimit(.minutes(1)))
struct SharedAlertTests {
  @Test("is shown on both, and the first answer wins", arguments: [true, false])
  func first(isSecond: Bool) async throws {
    try await withBroker { broker in
      let second = TestPresenter()
      broker.broker.presenters.attach(second, dashboard: "second")
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
      broker.broker.presenters.attach(second, dashboard: "second")
      #expect(await second.next().id == alert.id)
      broker.broker.presenters.detach(dashboard: "second")
      #expect(await second.nextWithdrawn().id == alert.id)
      #expect(broker.presenter.showing?.id == alert.id)
      broker.presenter.answer(.allow)
      let end = try await reply
      #expect(end.state == .allowed)
    }
  }
}

@Suite("A dashboard that leaves", .timeLimit(.minutes(1)))
struct LeavingDashboardTests {
  @Test("still sends its last answer to a broker in another process")
  func lastAnswer() async throws {
    try await withBroker(hasDashboard: false) { broker in
      let presenter = TestPresenter()
      let client = BrokerClient(addresses: [broker.address])
      let attachment = PresenterAttachment(client, presenter: presenter, dashboard: "elsewhere")
      let (attached, hasAttached) = AsyncStream.makeStream(of: Void.self)
      let running = Task { try await attachment.run { hasAttached.yield() } }
      for await _ in attached { break }
      async let reply = broker.ask()
      let alert = await presenter.next()
      presenter.answer(.allow)
      await attachment.waitUntilSent(alert.id)
      attachment.leave()
      running.cancel()
      _ = await running.result
      let end = try await reply
      #expect(end.state == .allowed)
    }
  }
}
