import Foundation
import PermBroker
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

/// The dashboard stores decisions that the person made just before leaving it.
@Suite("When the person leaves, the dashboard first stores", .timeLimit(.minutes(5)))
struct LeavingTests {
  private let home: TemporaryFolder
  private let store = MemoryStore(environment: .linux(sessionFolder: nil))
  private let services: DashboardServices
  private let effects: DashboardEffects
  private let sent = AsyncStream.makeStream(of: Action.self)

  init() throws {
    home = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: home.file("Pictures"), withIntermediateDirectories: false)
    services = DashboardServices(store: store, probes: ProbeEnvironment(home: home.path))
    let feed = DashboardFeed(services, reading: try StoreSnapshot(store)) { _ in }
    let sent = sent.continuation
    effects = DashboardEffects(services, feed: feed) { sent.yield($0) }
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
    await effects.finish()
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
    await effects.finish()
    effects.cancel()
    #expect(try store.journal(JournalFilter(kinds: [.answered]), .newest(10)).map(\.verdict) == [.deny])
    for await picture in services.slot.pictures where picture.up == nil { break }
  }

  @Test("no answer to an alert that has changed since it was on the screen, and says so")
  func changedAlert() async throws {
    let (old, now) = (
      Alert(id: Alert.ID("notice"), content: .notice(Notice(title: "old"))),
      Alert(id: Alert.ID("notice"), content: .notice(Notice(title: "now")))
    )
    async let response = services.slot.present(now)
    _ = await presented()
    for answer in [AlertResponse.acknowledged, .setAside] {
      effects.perform(.respond(old.id, answer, old.digest))
      #expect(await report() == "Nothing was answered: what you saw has changed; look again")
    }
    effects.perform(.respond(now.id, .acknowledged, now.digest))
    #expect(try await response == .acknowledged)
    effects.perform(.respond(now.id, .acknowledged, now.digest))
    #expect(await report() == "It was withdrawn before your answer, which has no effect.")
  }

  @Test("an alert set aside and reopened, in this order")
  func order() async throws {
    let alert = Alert(id: Alert.ID("notice"), content: .notice(Notice(title: "now")))
    async let response = services.slot.present(alert)
    var turn = await nextTurn(after: nil)
    for _ in 0..<20 {
      effects.perform(.respond(alert.id, .setAside, alert.digest))
      effects.perform(.reopen(alert.id))
      turn = await nextTurn(after: turn)
    }
    effects.perform(.respond(alert.id, .acknowledged, alert.digest))
    #expect(try await response == .acknowledged)
  }

  private func presented() async -> Alert {
    _ = await nextTurn(after: nil)
    return services.alerts.picture.shown[0].alert
  }

  /// Waits until an alert comes up, or comes up again.
  private func nextTurn(after last: DashboardPicture.Turn?) async -> DashboardPicture.Turn? {
    for await _ in services.alerts.changes {
      if let turn = services.alerts.picture.shown.first?.turn, turn != last { return turn }
    }
    return nil
  }

  private func report() async -> String? {
    for await case .reported(let report) in sent.stream { return report.text }
    return nil
  }
}
