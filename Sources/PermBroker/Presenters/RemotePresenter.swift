import PermModel

/// A dashboard in another process: alerts go to it over its connection, and the responses come back as calls of
/// Respond.
final class RemotePresenter: AlertPresenter {
  /// The dashboard's process.
  let process: Int32
  /// Ends the dashboard's attachment.
  let leave: @Sendable () -> Void
  /// The alerts that were sent to the dashboard.
  let alerts = OpenAlerts()
  private let send: @Sendable (Methods.Attach.Reply) -> Void

  /// - Parameter send: Sends a message to the dashboard.
  init(
    process: Int32, leave: @escaping @Sendable () -> Void,
    send: @escaping @Sendable (Methods.Attach.Reply) -> Void
  ) {
    self.process = process
    self.leave = leave
    self.send = send
  }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    if let response = try await alerts.follow(turn, show: { send(.init(show: Wire.Alert($0))) }) {
      return response
    }
    send(.init(withdraw: turn.id.text))
    return .dismissed
  }
}
