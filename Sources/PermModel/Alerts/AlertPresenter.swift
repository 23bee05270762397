/// A place that shows alerts: a dashboard, a terminal prompt, a test.
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
  /// Shows an alert at each of its turns, until it has a response.
  ///
  /// When the calling task is cancelled, the alert is withdrawn: the presenter removes it and returns, and its return
  /// value is ignored. The slot stays taken until then.
  ///
  /// - Returns: The person's response; ``AlertResponse/dismissed`` if the alert is no longer wanted.
  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse
}

extension AlertPresenter {
  /// Shows an alert without waiting for a slot.
  package func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    try await show(AlertTurn(id: alert.id) { alert })
  }
}

/// An alert as its presenter sees it, from its first turn in the slot to its end.
public struct AlertTurn: Sendable {
  public let id: Alert.ID
  private let next: @Sendable () async -> Alert?
  private let putOff: @Sendable () async -> Void

  /// Makes a turn for a presenter that another presenter calls.
  ///
  /// - Parameters:
  ///   - alert: Waits until the alert may be shown, and returns it.
  ///   - setAside: Frees the slot for the next alert.
  package init(
    id: Alert.ID, alert: @escaping @Sendable () async -> Alert?,
    setAside: @escaping @Sendable () async -> Void = {}
  ) {
    self.id = id
    next = alert
    putOff = setAside
  }

  /// Waits until the alert may be shown, and returns its current version. Call this once somebody is there who may see
  /// it: from then on no other request can join it.
  ///
  /// An alert that was set aside waits in line again, behind those already waiting.
  ///
  /// - Returns: `nil` if the alert is no longer wanted.
  public func alert() async -> Alert? { await next() }

  /// Frees the slot for the next alert, because the person will answer this one later.
  public func setAside() async { await putOff() }
}

/// Why an alert could not be shown.
public enum AlertPresenterError: Error, Hashable {
  case busy(showing: Alert.ID)
  /// There is nobody to answer.
  case nobodyThere
}

/// The outcome of an alert that was shown.
public enum AlertResponse: Hashable, Sendable {
  /// A request was answered.
  case answered(Answer)
  /// A confirmation was confirmed or refused.
  case confirmed, refused
  /// A notice was read.
  case acknowledged
  /// The person will answer later; the asker keeps waiting, and the slot is free for the next alert.
  case setAside
  /// The alert ended without an answer. It allows nothing and stores nothing.
  case dismissed
}
