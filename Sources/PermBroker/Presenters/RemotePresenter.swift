import PermModel

/// A dashboard in another process. Alerts are sent to it over its connection, and it responds with calls to `Respond`.
final class RemotePresenter: AlertPresenter {
  let process: Int32
  /// A closure that ends the dashboard's attachment.
  let leave: @Sendable () -> Void
  /// The alerts that the dashboard shows or has set aside.
  let alerts = OpenAlerts()
  private let send: @Sendable (Methods.Attach.Reply) -> Void

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
