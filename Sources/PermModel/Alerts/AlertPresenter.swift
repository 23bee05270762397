/// What shows alerts: a dashboard, a terminal prompt, a test.
///
/// A presenter implements one call, which lasts as long as the alert does:
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
  /// Shows an alert at each of its turns, until it has its response.
  ///
  /// When the calling task is cancelled, the alert is withdrawn: the presenter takes it away and returns, and what it
  /// returns does not count. The slot is not free before that.
  ///
  /// - Returns: The person's response; ``AlertResponse/dismissed`` if the alert is no longer wanted.
  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse
}

extension AlertPresenter {
  /// Shows an alert that waits for no slot.
  package func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    try await show(AlertTurn(id: alert.id) { alert })
  }
}

/// An alert as its presenter sees it, from its first turn in the slot to its end.
public struct AlertTurn: Sendable {
  public let id: Alert.ID
  private let next: @Sendable () async -> Alert?
  private let putOff: @Sendable () async -> Void

  /// Makes a turn for a presenter that is called by another one.
  ///
  /// - Parameters:
  ///   - alert: Waits until the alert may be shown.
  ///   - setAside: Frees the slot for the next alert.
  public init(
    id: Alert.ID, alert: @escaping @Sendable () async -> Alert?,
    setAside: @escaping @Sendable () async -> Void = {}
  ) {
    self.id = id
    next = alert
    putOff = setAside
  }

  /// Waits until the alert may be shown, and returns it as it is then. To be called once somebody is there who may see
  /// it: from then on no other request can join it.
  ///
  /// An alert that was set aside waits in line again, behind those that are waiting already.
  ///
  /// - Returns: `nil` if the alert is no longer wanted.
  public func alert() async -> Alert? { await next() }

  /// Frees the slot for the next alert, as the person answers this one later.
  public func setAside() async { await putOff() }
}

/// Why an alert could not be shown.
public enum AlertPresenterError: Error, Hashable {
  case busy(showing: Alert.ID)
  /// Nobody is there to answer.
  case nobodyThere
}
