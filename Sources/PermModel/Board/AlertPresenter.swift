/// A user interface that shows alerts, for example a dashboard, a terminal prompt, or a substitute in a test.
///
/// A presenter implements a single method, which returns once the alert has ended:
///
/// ```swift
/// struct WindowPresenter: AlertPresenter {
///   let window: Window
///
///   func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
///     while let alert = await turn.alert() {
///       if let response = await window.response(to: alert) { return response }
///       await turn.setAside()
///       await window.waitUntilReopened(alert.id)
///     }
///     return .dismissed
///   }
/// }
/// ```
public protocol AlertPresenter: Sendable {
  /// Shows an alert each time the alert's turn comes, until the person responds.
  ///
  /// If the calling task is cancelled, the alert is withdrawn. The presenter must then remove the alert and
  /// return; its return value is ignored. The slot stays occupied until the method returns.
  ///
  /// - Returns: The person's response; ``AlertResponse/dismissed`` if the alert no longer needs to be shown.
  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse
}

extension AlertPresenter {
  /// Shows an alert without waiting for a slot.
  package func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    try await show(AlertTurn(id: alert.id) { alert })
  }
}

/// A presenter's access to one alert, from the time when the alert is first due to be shown until it ends.
public struct AlertTurn: Sendable {
  public let id: Alert.ID
  private let next: @Sendable () async -> Alert?
  private let putOff: @Sendable () async -> Void

  /// Makes a turn that one presenter passes to another.
  ///
  /// - Parameters:
  ///   - alert: Waits for the alert's turn, and returns the alert.
  ///   - setAside: Sets the alert aside, and frees the slot for the next alert.
  package init(
    id: Alert.ID, alert: @escaping @Sendable () async -> Alert?,
    setAside: @escaping @Sendable () async -> Void = {}
  ) {
    self.id = id
    next = alert
    putOff = setAside
  }

  /// Waits for the alert's turn, and returns the alert's current version. Do not call this before somebody can see the
  /// alert: after the call, no other request can join it.
  ///
  /// If the alert was set aside, it joins the line again at the end.
  ///
  /// - Returns: `nil` if the alert no longer needs to be shown.
  public func alert() async -> Alert? { await next() }

  /// Sets the alert aside, because the person will answer it later, and frees the slot for the next alert.
  public func setAside() async { await putOff() }
}

/// The reason why an alert could not be shown.
public enum AlertPresenterError: Error, Hashable {
  case busy(showing: Alert.ID)
  /// There is nobody to answer.
  case nobodyThere
}
