import Machine
import PermBroker
import PermModel

/// A presenter that sends alerts to the dashboard's event loop, and passes the person's answers to the modal slot.
final class DashboardPresenter: HandoverScreen {
  private let alerts = OpenAlerts()
  private let hasEnded = Lock(false)
  private let answered = Lock<Alert.ID?>(nil)
  private let inbox: Inbox<Action>

  init(inbox: Inbox<Action>) { self.inbox = inbox }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    let response = try await alerts.follow(turn) { alert throws(AlertPresenterError) in
      if hasEnded.withLock(\.self) { throw .nobodyThere }
      answered.withLock { if $0 == alert.id { $0 = nil } }
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

  /// Forwards the person's action on an alert.
  ///
  /// - Returns: `false` if the action has no effect because the alert is no longer open.
  func take(_ event: AlertEvent, _ id: Alert.ID) -> Bool {
    guard alerts.take(event, id) else { return false }
    if case .answered = event { answered.withLock { $0 = id } }
    return true
  }

  /// The alert that the person answered last, unless it was presented again since.
  var lastAnswered: Alert.ID? { answered.withLock(\.self) }

  /// Ends all alerts without an answer when the dashboard closes.
  func end() {
    hasEnded.withLock { $0 = true }
    alerts.end()
  }
}
