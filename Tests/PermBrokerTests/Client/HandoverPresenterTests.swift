import PermModel
import Testing

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
}
