import Machine
import Operations
import PermModel

@testable import PermBroker

/// A dashboard that shows alerts to a test, which answers them.
final class TestPresenter: Sendable {
  private struct State {
    var keeper: BoardKeeper?
    var screen: Board.Screen.ID?
    var picture = ScreenPicture()
    var following: Task<Void, Never>?
  }

  private let state = Lock(State())
  private let appeared = AsyncStream.makeStream(of: Alert.self)
  private let vanished = AsyncStream.makeStream(of: Alert.self)

  /// The alert that a test gets which was cancelled because it took too long. It fails with that; others go on.
  private static let none = Alert(
    id: Alert.ID("none"), content: .notice(Notice(title: "no alert came in time")))

  deinit { state.withLock { $0.following }?.cancel() }

  /// The alert that can be answered.
  var showing: Alert? { state.withLock { $0.picture.shown.first?.alert } }

  /// Becomes a dashboard of the board.
  func attach(to keeper: BoardKeeper, as dashboard: String) {
    guard let screen = keeper.attach(dashboard: dashboard) else { return }
    let pictures = keeper.pictures(of: screen)
    state.withLock { state in
      (state.keeper, state.screen) = (keeper, screen)
      state.following = Task { [weak self] in
        for await picture in pictures { self?.take(picture) }
        self?.take(ScreenPicture())
      }
    }
  }

  private func take(_ picture: ScreenPicture) {
    let old = state.withLock { state in
      defer { state.picture = picture }
      return state.picture
    }
    for gone in old.shown where !picture.shown.contains(gone) && !picture.aside.contains(gone.alert) {
      vanished.continuation.yield(gone.alert)
    }
    for gone in old.aside where !picture.aside.contains(gone) { vanished.continuation.yield(gone) }
    for shown in picture.shown where !old.shown.contains(shown) { appeared.continuation.yield(shown.alert) }
  }

  /// Takes up an alert that was set aside; `false` if it was not.
  func reopen(_ id: Alert.ID) -> Bool {
    let (keeper, screen) = state.withLock { ($0.keeper, $0.screen) }
    guard let keeper, let screen, keeper.picture(of: screen)?.aside.contains(where: { $0.id == id }) == true
    else { return false }
    keeper.reopen(id, at: screen)
    return true
  }

  /// Waits for the next alert to appear.
  func next() async -> Alert {
    for await alert in appeared.stream { return alert }
    return Self.none
  }

  /// Waits for an alert to be taken away.
  func nextWithdrawn() async -> Alert {
    for await alert in vanished.stream { return alert }
    return Self.none
  }

  /// Waits for the next request to appear.
  func nextRequest() async -> RequestAlert? {
    if case .request(let alert) = await next().content { alert } else { nil }
  }

  /// Answers the present alert, without waiting until the answer is stored.
  func answer(_ response: AlertResponse) {
    let (keeper, screen) = state.withLock { ($0.keeper, $0.screen) }
    guard let showing, let keeper, let screen else { return }
    Task.immediate { try? await keeper.respond(showing.id, response, to: showing.digest, at: screen) }
  }

  /// Answers the present request, for everything that it asks for.
  func answer(_ verdict: Verdict, _ lifetime: LifetimeChoice = .once) {
    guard case .request(let alert) = showing?.content, let full = alert.choices.first else { return }
    answer(.answered(Answer(verdict, atoms: full.atoms, lifetime: lifetime)))
  }
}

extension BoardKeeper {
  func attach(_ presenter: TestPresenter, dashboard: String) { presenter.attach(to: self, as: dashboard) }
}
