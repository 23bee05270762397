import Machine
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("A screen that two slots share")
struct HandoverPresenterTests {
  private func notice(_ id: String) -> Alert {
    Alert(id: Alert.ID(id), content: .notice(Notice(title: id, message: "")))
  }

  @Test("shows what comes second when the first is answered")
  func inTurn() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    async let first = presenter.present(notice("own"))
    #expect(await screen.next().id == Alert.ID("own"))
    async let second = presenter.present(notice("elsewhere"))
    async let third = presenter.present(notice("third"))
    screen.answer(.acknowledged)
    #expect(try await first == .acknowledged)
    let shown = await screen.next().id
    #expect([Alert.ID("elsewhere"), Alert.ID("third")].contains(shown))
    screen.answer(.refused)
    _ = await screen.next()
    screen.answer(.refused)
    #expect(try await second == .refused)
    #expect(try await third == .refused)
  }

  @Test("lets go of what is taken away before it was shown")
  func cancelled() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    async let first = presenter.present(notice("own"))
    _ = await screen.next()
    let second = Task { try await presenter.present(notice("elsewhere")) }
    second.cancel()
    #expect(try await second.value == .dismissed)
    screen.answer(.acknowledged)
    #expect(try await first == .acknowledged)
  }

  private func request(reason: String, label: String = "nice") -> Alert {
    let request = Request(
      id: Request.ID("7777"), subject: Subject(label: label), capability: "deploy",
      atoms: [Atom("deploy", "staging")], reason: reason, askedAt: Timestamp(microseconds: 0))
    return Alert(
      id: Alert.ID("7777"),
      content: .request(
        RequestAlert(
          request: request, title: "Deploy", action: "deploy", explanation: "", severity: .mild,
          choices: [RequirementChoice(atoms: request.atoms, title: "staging")], identity: .firstTime,
          lifetimes: [LifetimeOffer(.once), LifetimeOffer(.forever)])))
  }

  /// Shows an alert, and begins a handover in which the broker that asked goes away. Returns the handover's number.
  private func leave(
    _ alert: Alert, on screen: TestPresenter, by presenter: HandoverPresenter
  ) async throws -> Int {
    let first = Task { try await presenter.present(alert) }
    #expect(await screen.next() == alert)
    let handover = presenter.begin()
    first.cancel()
    #expect(try await first.value == .dismissed)
    return handover
  }

  private let yes = AlertResponse.answered(
    Answer(.allow, atoms: [Atom("deploy", "staging")], lifetime: .forever))

  @Test("shows what the next broker asks, and not another alert of the same id that was left on it")
  func anotherAlert() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    let first = Task { try await presenter.present(request(reason: "harmless thing")) }
    _ = await screen.next()
    presenter.begin()
    first.cancel()
    let second = Task { try await presenter.present(request(reason: "other", label: "evil")) }
    #expect(await screen.nextWithdrawn() == request(reason: "harmless thing"))
    #expect(await screen.next() == request(reason: "other", label: "evil"))
    screen.answer(yes)
    #expect(try await second.value == yes)
    _ = try await first.value
  }

  @Test("goes on with the very same alert, though what is told beside it is new")
  func sameAlert() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    let shown = request(reason: "harmless thing")
    let handover = try await leave(shown, on: screen, by: presenter)
    guard case .request(var content) = shown.content else { return }
    content.history = AnswerHistory(allowed: 3)
    let again = Alert(id: shown.id, content: .request(content))
    let second = Task { try await presenter.present(again) }
    try await until { screen.backing.contains(true) }
    #expect(screen.backing == [false, true])
    #expect(screen.showing == shown)
    presenter.end(handover)
    screen.answer(yes)
    #expect(try await second.value == yes)
  }

  @Test("answers nothing while nobody stands behind what it shows, and shows it again to the next broker")
  func unbacked() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    let alert = request(reason: "harmless thing")
    let first = Task { try await presenter.present(alert) }
    _ = await screen.next()
    presenter.begin()
    first.cancel()
    try await until { !screen.backing.isEmpty }
    screen.answer(yes)
    #expect(try await first.value == .dismissed)
    let second = Task { try await presenter.present(alert) }
    #expect(await screen.next() == alert)
    screen.answer(.dismissed)
    #expect(try await second.value == .dismissed)
  }

  @Test("withdraws what no broker presents again")
  func forgotten() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    let alert = request(reason: "harmless thing")
    let handover = try await leave(alert, on: screen, by: presenter)
    presenter.end(handover)
    #expect(await screen.nextWithdrawn() == alert)
  }

  @Test("keeps an alert that is just being taken over when the next broker goes away, too")
  func secondHandover() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    let alert = request(reason: "harmless thing")
    _ = try await leave(alert, on: screen, by: presenter)
    // The second broker goes away at the moment when its alert has been taken over.
    let second = Lock<Task<AlertResponse, any Error>?>(nil)
    screen.whenBacked {
      presenter.begin()
      second.withLock { $0 }?.cancel()
    }
    second.withLock { $0 = Task { try await presenter.present(alert) } }
    #expect(try await second.withLock { $0 }?.value == .dismissed)
    #expect(screen.backing == [false, true, false])
    #expect(screen.showing == alert)
    screen.whenBacked {}
    let third = Task { try await presenter.present(alert) }
    try await until { screen.backing.last == true }
    screen.answer(yes)
    #expect(try await third.value == yes)
  }

  @Test("keeps what is left on the screen until the latest handover ends")
  func latestHandover() async throws {
    let screen = TestPresenter()
    let presenter = HandoverPresenter(screen)
    let alert = request(reason: "harmless thing")
    let earlier = try await leave(alert, on: screen, by: presenter)
    let latest = presenter.begin()
    presenter.end(earlier)
    let second = Task { try await presenter.present(alert) }
    try await until { screen.backing.contains(true) }
    #expect(screen.showing == alert)
    presenter.end(latest)
    screen.answer(yes)
    #expect(try await second.value == yes)
  }
}
