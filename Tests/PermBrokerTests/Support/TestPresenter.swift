import Machine
import Operations
import PermModel

@testable import PermBroker

/// Shows alerts to a test, which answers them.
final class TestPresenter: HandoverScreen {
  private struct State {
    var last: Alert.ID?
    var backing: [Bool] = []
    var whenBacked: @Sendable () -> Void = {}
  }

  private let alerts = OpenAlerts()
  private let state = Lock(State())
  private let appeared = AsyncStream.makeStream(of: Alert.self)
  private let vanished = AsyncStream.makeStream(of: Alert.self)

  var showing: Alert? { state.withLock { $0.last }.flatMap { alerts[$0] } }

  /// The reports of whether alerts still have an asker, in order.
  var backing: [Bool] { state.withLock { $0.backing } }

  func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool {
    let whenBacked = state.withLock { state in
      state.backing.append(isBacked)
      return state.whenBacked
    }
    if isBacked { whenBacked() }
    return alerts.setBacked(isBacked, id)
  }

  /// Sets what happens at the moment when an alert has an asker again.
  func whenBacked(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenBacked = body } }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    var last: Alert?
    let response = try await alerts.follow(turn) { alert throws(AlertPresenterError) in
      if let showing, showing.id != alert.id { throw .busy(showing: showing.id) }
      last = alert
      state.withLock { $0.last = alert.id }
      appeared.continuation.yield(alert)
    }
    if response == nil, let last { vanished.continuation.yield(last) }
    return response ?? .dismissed
  }

  /// Takes up an alert that was set aside; `false` if it was not.
  func reopen(_ id: Alert.ID) -> Bool { alerts.take(.reopened, id) }

  /// Waits for the next alert to appear.
  func next() async -> Alert {
    for await alert in appeared.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Waits for an alert to be taken away.
  func nextWithdrawn() async -> Alert {
    for await alert in vanished.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Waits for the next request to appear.
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
