package import PermModel

/// The means by which a dashboard answers requests that the person picks from the list of what waits, whether or not
/// their alerts are at this dashboard.
package protocol RequestAnswering: Sendable {
  /// Returns the waiting requests, oldest first. Each comes with the alert that would be shown for that request alone.
  func pending() async throws -> [PendingRequest]

  /// Checks that this process is allowed to change something. If it is not, throws the reason.
  func admitChange() throws

  /// Answers exactly one request.
  ///
  /// - Parameters:
  ///   - id: The id of the request's own alert, which also names the machine.
  ///   - digest: The digest of that alert as the person read it.
  func answer(_ id: Alert.ID, _ answer: Answer, to digest: AlertDigest) async throws
}

extension StoreControl: RequestAnswering {
  package func admitChange() {}

  package func answer(_ id: Alert.ID, _ answer: Answer, to digest: AlertDigest) throws {
    try self.answer(Request.ID(id.text), answer, to: digest)
  }
}
