import Machine
import PermModel

/// Answers every alert according to a script, once the curtain is up.
final class ScriptedPresenter: AlertPresenter {
  private let script: @Sendable (Alert) -> AlertResponse
  private let seen = Lock([Alert]())
  private let isShowing = Lock(false)
  private let curtain = AsyncStream.makeStream(of: Void.self)

  init(_ script: @escaping @Sendable (Alert) -> AlertResponse) { self.script = script }

  /// Every alert in the order in which it was shown.
  var alerts: [Alert] { seen.withLock { $0 } }

  /// Lets the present alert, and all later ones, be answered.
  func raiseCurtain() { curtain.continuation.finish() }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    guard let alert = await turn.alert() else { return .dismissed }
    let isSecond = isShowing.withLock { showing in
      defer { showing = true }
      return showing
    }
    if isSecond { throw .busy(showing: alert.id) }
    defer { isShowing.withLock { $0 = false } }
    for await _ in curtain.stream {}
    seen.withLock { $0.append(alert) }
    return script(alert)
  }
}
