import Machine
import Operations
import PermModel

/// Shows alerts to a test, which answers them.
final class TestPresenter: AlertPresenter {
  private let alerts = OpenAlerts()
  private let all = Lock([Alert]())
  private let appeared = AsyncStream.makeStream(of: Alert.self)

  /// Every alert that was shown, in order.
  var shown: [Alert] { all.withLock { $0 } }
  var showing: Alert? { shown.reversed().lazy.compactMap { self.alerts[$0.id] }.first }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    let response = try await alerts.follow(turn) { alert throws(AlertPresenterError) in
      if let other = shown.first(where: { $0.id != alert.id && alerts[$0.id] != nil }) {
        throw .busy(showing: other.id)
      }
      all.withLock { $0.append(alert) }
      appeared.continuation.yield(alert)
    }
    return response ?? .dismissed
  }

  /// Takes up an alert that was set aside; `false` if it was not.
  func reopen(_ id: Alert.ID) -> Bool { alerts.take(.reopened, id) }

  /// Waits for the next alert to appear.
  func next() async -> Alert {
    for await alert in appeared.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Returns the next alert's request.
  func nextRequest() async -> RequestAlert? {
    if case .request(let alert) = await next().content { alert } else { nil }
  }

  /// Answers the present alert.
  func answer(_ response: AlertResponse) {
    guard let showing else { return }
    _ = alerts.take(response == .setAside ? .setAside : .answered(response), showing.id)
  }

  /// Answers the present request, for everything that it asks for.
  func answer(_ verdict: Verdict, _ lifetime: LifetimeChoice = .once) {
    guard case .request(let alert) = showing?.content, let full = alert.choices.first else { return }
    answer(.answered(Answer(verdict, atoms: full.atoms, lifetime: lifetime)))
  }
}

/// A presenter without a person.
struct EmptyRoom: AlertPresenter {
  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse { throw .nobodyThere }
}
