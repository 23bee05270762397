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
  private let next: @Sendable (Origin?) async -> Alert?
  private let putOff: @Sendable (Origin?) async -> Void

  /// Makes a turn that one presenter passes to another.
  ///
  /// - Parameters:
  ///   - alert: Waits for the alert's turn, and returns the alert.
  ///   - setAside: Sets the alert aside, and frees the slot for the next alert.
  package init(
    id: Alert.ID, alert: @escaping @Sendable () async -> Alert?,
    setAside: @escaping @Sendable () async -> Void = {}
  ) {
    self.init(id: id, alertBy: { _ in await alert() }, setAsideBy: { _ in await setAside() })
  }

  /// Makes a turn that one presenter passes to another.
  ///
  /// - Parameters:
  ///   - alertBy: Returns the alert as above. It receives the place that reopens the alert, if that is known.
  ///   - setAsideBy: Sets the alert aside as above. It receives the place at which the person did that, if that is known.
  package init(
    id: Alert.ID, alertBy: @escaping @Sendable (Origin?) async -> Alert?,
    setAsideBy: @escaping @Sendable (Origin?) async -> Void
  ) {
    self.id = id
    next = alertBy
    putOff = setAsideBy
  }

  /// Waits for the alert's turn, and returns the alert's current version. Do not call this before somebody can see the
  /// alert: after the call, no other request can join it.
  ///
  /// If the alert was set aside, it joins the line again at the end.
  ///
  /// - Returns: `nil` if the alert no longer needs to be shown.
  public func alert() async -> Alert? { await next(nil) }

  /// Like ``alert()``, and records the place that reopens the alert.
  package func alert(reopenedBy origin: Origin?) async -> Alert? { await next(origin) }

  /// Sets the alert aside, because the person will answer it later, and frees the slot for the next alert.
  public func setAside() async { await putOff(nil) }

  /// Sets the alert aside, and records the place at which the person did that.
  package func setAside(by origin: Origin) async { await putOff(origin) }
}

/// The reason why an alert could not be shown.
public enum AlertPresenterError: Error, Hashable {
  case busy(showing: Alert.ID)
  /// There is nobody to answer.
  case nobodyThere
}

/// The outcome of an alert that was shown.
public enum AlertResponse: Hashable, Sendable {
  /// The person has answered a request.
  case answered(Answer)
  /// The person has confirmed an action; ``refused`` means that the person has refused it.
  case confirmed, refused
  /// The person has read a notice.
  case acknowledged
  /// The person will answer later; the asker keeps waiting, and the slot is free for the next alert.
  case setAside
  /// The alert ended without an answer. Therefore nothing is allowed, and no decision is stored.
  case dismissed
}
