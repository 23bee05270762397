import Machine
import PermBroker
import PermModel

/// Brings alerts to the dashboard's event loop, and its answers back to the slot that presented them.
final class DashboardPresenter: HandoverScreen {
  private let alerts = OpenAlerts()
  private let hasEnded = Lock(false)
  private let inbox: Inbox<Action>

  init(inbox: Inbox<Action>) { self.inbox = inbox }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    let response = try await alerts.follow(turn) { alert throws(AlertPresenterError) in
      if hasEnded.withLock(\.self) { throw .nobodyThere }
      inbox.send(.presented(alert))
    }
    if response == nil { inbox.send(.withdrawn(turn.id)) }
    return response ?? .dismissed
  }

  func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool {
    let isShown = alerts.setBacked(isBacked, id)
    if isShown { inbox.send(.backed(id, isBacked)) }
    return isShown
  }

  /// Passes on what the person does with an alert.
  ///
  /// - Returns: `false` if it has no effect, as nobody waits for the alert any more.
  func take(_ event: AlertEvent, _ id: Alert.ID) -> Bool { alerts.take(event, id) }

  /// Ends everything without an answer: the dashboard closes.
  func end() {
    hasEnded.withLock { $0 = true }
    alerts.end()
  }
}
