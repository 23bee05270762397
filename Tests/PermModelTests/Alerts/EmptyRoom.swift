import PermModel

/// A presenter without a person.
struct EmptyRoom: AlertPresenter {
  public func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    throw .nobodyThere
  }
  public func waitUntilReopened(_ id: Alert.ID) async throws {}
}
