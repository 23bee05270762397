import PermModel

/// A presenter without a person.
struct EmptyRoom: AlertPresenter {
  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse { throw .nobodyThere }
}
