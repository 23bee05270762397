package import PermModel

/// The alerts of a dashboard, and the way to respond to them.
package protocol DashboardAlerts: Sendable {
  var picture: DashboardPicture { get }
  /// A stream of signals that the picture might have changed. Its first element arrives immediately.
  var changes: AsyncStream<Void> { get }

  /// Takes the person's response to an alert, and waits until it is stored.
  ///
  /// - Parameter digest: The digest of the alert as the person read it.
  /// - Throws: ``AnswerRefused`` if the response is not accepted; another error if it cannot be stored. The alert then comes
  ///   up again if it is still needed.
  func respond(_ alert: Alert.ID, _ response: AlertResponse, to digest: AlertDigest) async throws

  /// Shows an alert again that was set aside here.
  func reopen(_ alert: Alert.ID) async throws
}

/// The alerts of a dashboard whose only board is that of its own process.
package struct OwnBoard: DashboardAlerts {
  package let keeper = BoardKeeper(Board(), exclusion: .shared)
  private let screen: Board.Screen.ID?

  package init(dashboard: String) { screen = keeper.attach(dashboard: dashboard) }

  package var picture: DashboardPicture {
    DashboardPicture(screen.flatMap(keeper.picture) ?? ScreenPicture())
  }
  package var changes: AsyncStream<Void> { keeper.changes }

  package func respond(_ alert: Alert.ID, _ response: AlertResponse, to digest: AlertDigest) async throws {
    if let screen { try await keeper.respond(alert, response, to: digest, at: screen) }
  }

  package func reopen(_ alert: Alert.ID) { if let screen { keeper.reopen(alert, at: screen) } }
}
