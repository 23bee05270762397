import Machine
public import PermModel

/// A presenter that passes alerts to a test. The test answers each alert itself, or provides a script that does so.
public final class ScriptedPresenter: AlertPresenter {
  private let script: @Sendable (Alert) -> AlertResponse?
  private let alerts = OpenAlerts()
  private let all = Lock([Alert]())
  private let appeared = AsyncStream.makeStream(of: Alert.self)

  /// - Parameter script: Returns the response to an alert, or `nil` if the test answers the alert itself.
  public init(_ script: @escaping @Sendable (Alert) -> AlertResponse? = { _ in nil }) { self.script = script }

  /// All alerts that were shown, in order.
  public var shown: [Alert] { all.withLock { $0 } }

  /// The alert that is currently shown; `nil` if there is none.
  public var showing: Alert? { shown.reversed().lazy.compactMap { self.alerts[$0.id] }.first }

  public func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    let response = try await alerts.follow(turn) { alert throws(AlertPresenterError) in
      if let other = shown.first(where: { $0.id != alert.id && alerts[$0.id] != nil }) {
        throw .busy(showing: other.id)
      }
      all.withLock { $0.append(alert) }
      appeared.continuation.yield(alert)
      if let response = script(alert) { answer(response) }
    }
    return response ?? .dismissed
  }

  /// Reopens an alert that was set aside. Returns `false` if the alert was not set aside.
  public func reopen(_ id: Alert.ID) -> Bool { alerts.take(.reopened, id) }

  /// Waits for the next alert to appear.
  public func next() async -> Alert {
    for await alert in appeared.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Waits for the next alert to appear. Returns `nil` if that alert is not about a request.
  public func nextRequest() async -> RequestAlert? {
    if case .request(let alert) = await next().content { alert } else { nil }
  }

  /// Responds to the alert that is currently shown.
  public func answer(_ response: AlertResponse) {
    guard let showing else { return }
    _ = alerts.take(response == .setAside ? .setAside : .answered(response), showing.id)
  }

  /// Gives the same verdict on everything that the currently shown request asks for.
  public func answer(_ verdict: Verdict, _ lifetime: LifetimeChoice = .once) {
    guard case .request(let alert) = showing?.content, let full = alert.choices.first else { return }
    answer(.answered(Answer(verdict, atoms: full.atoms, lifetime: lifetime)))
  }
}
