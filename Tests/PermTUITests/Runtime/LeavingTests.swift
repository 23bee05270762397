import Foundation
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

/// The dashboard stores decisions that the person made just before leaving it.
@Suite("When the person leaves, the dashboard first stores", .timeLimit(.minutes(5)))
struct LeavingTests {
  private let home: TemporaryFolder
  private let store = MemoryStore(environment: .linux(sessionFolder: nil))
  private let inbox = Inbox<Action>()
  private let presenter: DashboardPresenter
  private let services: DashboardServices
  private let effects: DashboardEffects

  init() throws {
    home = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: home.file("Pictures"), withIntermediateDirectories: false)
    presenter = DashboardPresenter(inbox: inbox)
    services = DashboardServices(
      store: store, presenter: presenter, probes: ProbeEnvironment(home: home.path))
    let feed = DashboardFeed(services, reading: try StoreReading(store)) { _ in }
    effects = DashboardEffects(services, presenter: presenter, feed: feed) { _ in }
  }

  @Test("every change that was requested, in order")
  func changes() async throws {
    let subject = Subject(label: "backup", path: "/bin/backup")
    let atoms: Set = [Atom("photos", "read")]
    for verdict in [Verdict.allow, .deny, .allow] {
      effects.perform(
        .decide(subject, capability: "photos", Answer(verdict, atoms: atoms, lifetime: .forever)))
    }
    effects.perform(.setPanic(true))
    effects.start()
    await effects.finish(nil)
    effects.cancel()
    #expect(try store.decisions(DecisionFilter()).map(\.verdict) == [.allow])
    #expect(try store.overview(names: 0).suspension != nil)
  }

  @Test("the answer to the alert on the screen")
  func answer() async throws {
    effects.start()
    effects.perform(.askNow(capability: "photos"))
    let alert = await presented()
    guard case .request(let request) = alert.content else {
      Issue.record("no request: \(alert.content)")
      return
    }
    effects.perform(.respond(alert.id, .answered(Answer(.deny, atoms: request.request.atoms)), alert.digest))
    await effects.finish(nil)
    effects.cancel()
    #expect(try store.journal(JournalFilter(kinds: [.answered]), .newest(10)).map(\.verdict) == [.deny])
    #expect(services.slot.picture.up == nil)
  }

  @Test("nothing of an alert that was answered and then presented again")
  func presentedAgain() async throws {
    let alert = Alert(id: Alert.ID("again"), content: .notice(Notice(title: "again")))
    let turn = AlertTurn(id: alert.id, alert: { alert }, setAside: {})
    async let first = presenter.show(turn)
    _ = await presented()
    #expect(presenter.take(.answered(.acknowledged), alert.id, seen: alert.digest))
    #expect(presenter.lastAnswered == alert.id)
    #expect(try await first == .acknowledged)
    async let second = presenter.show(turn)
    _ = await presented()
    #expect(presenter.lastAnswered == nil)
    presenter.end()
    #expect(try await second == .dismissed)
  }

  @Test("no answer to an alert that has changed since it was on the screen")
  func changedAlert() async throws {
    func notice(_ title: String) -> Alert {
      Alert(id: Alert.ID("notice"), content: .notice(Notice(title: title)))
    }
    let (old, now) = (notice("old"), notice("now"))
    async let response = presenter.show(AlertTurn(id: now.id, alert: { now }, setAside: {}))
    _ = await presented()
    for answer in [AlertResponse.acknowledged, .setAside] {
      effects.perform(.respond(old.id, answer, old.digest))
      #expect(presenter.isOpen(now.id) && presenter.lastAnswered == nil)
    }
    effects.perform(.respond(now.id, .acknowledged, now.digest))
    #expect(try await response == .acknowledged)
  }

  private func presented() async -> Alert {
    while true {
      for case .presented(let alert) in inbox.take() { return alert }
      await Task.yield()
    }
  }
}
