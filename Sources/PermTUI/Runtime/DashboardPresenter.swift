import Machine
import PermBroker
import PermModel

/// Sends alerts to the dashboard's event loop, and its answers back to the slot that presented them.
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

  /// Passes on an action of the person at an alert.
  ///
  /// - Returns: `false` if it has no effect because nobody waits for the alert any longer.
  func take(_ event: AlertEvent, _ id: Alert.ID) -> Bool { alerts.take(event, id) }

  /// Ends all alerts without an answer when the dashboard closes.
  func end() {
    hasEnded.withLock { $0 = true }
    alerts.end()
  }
}
