/// What shows alerts: a dashboard, a terminal prompt, a test.
///
/// The modal slot gives a presenter one alert at a time. A presenter refuses a second one all the same.
public protocol AlertPresenter: Sendable {
  /// Shows an alert until it is answered, set aside or dismissed.
  ///
  /// When the calling task is cancelled the alert is withdrawn: it answers nothing from then on, and the call
  /// returns ``AlertResponse/dismissed`` at once, so that an alert that ignores cancellation cannot keep the slot.
  ///
  /// - Throws: ``AlertPresenterError/busy(showing:)`` if another alert is being shown.
  func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse

  /// Waits until somebody is there who may see an alert. It returns at once where somebody always is, which is what
  /// a presenter does unless it says otherwise.
  ///
  /// - Throws: `CancellationError` when the calling task is cancelled.
  func waitUntilAttended() async throws

  /// Waits until the person wants to see an alert again that was set aside.
  ///
  /// - Throws: `CancellationError` when the calling task is cancelled.
  func waitUntilReopened(_ id: Alert.ID) async throws

  /// Tells whether somebody stands behind an alert that is shown. While nobody does, because its broker has gone away,
  /// it stays to be read and an answer counts for nothing, which a presenter says that knows of this.
  ///
  /// - Returns: Whether the alert is shown and not answered yet.
  func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool
}

extension AlertPresenter {
  /// Returns `false`: the alert is then taken away, and shown again as a new one.
  public func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool { false }
  public func waitUntilAttended() async throws {}
}

/// Why an alert could not be shown.
public enum AlertPresenterError: Error, Hashable {
  case busy(showing: Alert.ID)
  /// Nobody is there to answer.
  case nobodyThere
}
