import Machine
import Operations
import PermModel

@testable import PermBroker

/// A dashboard that shows requests to a test, which answers them.
final class TestPresenter: Sendable {
  private struct State {
    var keeper: BoardKeeper?
    var screen: Board.Screen.ID?
    var picture = ScreenPicture()
  }

  private let state = Lock(State())
  private let appeared = AsyncStream.makeStream(of: (RequestAlert, Int64).self)

  func attach(to keeper: BoardKeeper) {
    guard let screen = keeper.attach(dashboard: "test") else { return }
    state.withLock { ($0.keeper, $0.screen) = (keeper, screen) }
    let pictures = keeper.pictures(of: screen)
    Task { [weak self] in for await picture in pictures { self?.take(picture) } }
  }

  private func take(_ picture: ScreenPicture) {
    let now = SystemClock.monotonic.nanoseconds
    let old = state.withLock { state in
      defer { state.picture = picture }
      return state.picture
    }
    for shown in picture.shown where !old.shown.contains(shown) {
      if case .request(let alert) = shown.alert.content { appeared.continuation.yield((alert, now)) }
    }
  }

  /// Whether an alert is shown.
  var isShowing: Bool { state.withLock { !$0.picture.shown.isEmpty } }

  /// Waits for the next request to appear, and returns it with the moment in nanoseconds.
  func next() async -> (alert: RequestAlert, moment: Int64) {
    for await request in appeared.stream { return request }
    preconditionFailure("the presenter is gone")
  }

  /// Waits for a request that fulfils a condition.
  func next(_ isMeant: (RequestAlert) -> Bool) async -> RequestAlert {
    while true {
      let alert = await next().alert
      if isMeant(alert) { return alert }
    }
  }

  /// Dismisses the request that is shown.
  func dismiss() async throws {
    let (keeper, screen, showing) = state.withLock { ($0.keeper, $0.screen, $0.picture.shown.first?.alert) }
    guard let keeper, let screen, let showing else { return }
    try await keeper.respond(showing.id, .dismissed, to: showing.digest, at: screen)
  }

  /// Answers the request that is shown.
  ///
  /// - Parameter part: The part that the answer is about; `nil` for all that was asked for.
  func answer(_ verdict: Verdict, _ lifetime: LifetimeChoice = .once, only part: String? = nil) async throws {
    let (keeper, screen, showing) = state.withLock { ($0.keeper, $0.screen, $0.picture.shown.first?.alert) }
    guard let keeper, let screen, let showing, case .request(let alert) = showing.content,
      let choice = alert.choices.first(where: { choice in
        part.map { [$0] == choice.atoms.map(\.name) } ?? true
      })
    else { return }
    try await keeper.respond(
      showing.id, .answered(Answer(verdict, atoms: choice.atoms, lifetime: lifetime)), to: showing.digest,
      at: screen)
  }
}
