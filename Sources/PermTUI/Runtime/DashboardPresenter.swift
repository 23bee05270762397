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
  /// - Parameter digest: The digest of the alert that the screen showed.
  /// - Returns: `false` if the action has no effect because the alert is no longer open, or has changed since.
  func take(_ event: AlertEvent, _ id: Alert.ID, seen digest: AlertDigest) -> Bool {
    guard alerts.take(event, id, where: { $0.digest == digest }) else { return false }
    if case .answered = event { answered.withLock { $0 = id } }
    return true
  }

  /// Presents again an alert that was set aside.
  func reopen(_ id: Alert.ID) { _ = alerts.take(.reopened, id) }

  /// Returns whether an alert is open, even if it has changed.
  func isOpen(_ id: Alert.ID) -> Bool { alerts[id] != nil }

  /// The alert that the person answered last, unless it was presented again since.
  var lastAnswered: Alert.ID? { answered.withLock(\.self) }

  /// Ends all alerts without an answer when the dashboard closes.
  func end() {
    hasEnded.withLock { $0 = true }
    alerts.end()
  }
}
