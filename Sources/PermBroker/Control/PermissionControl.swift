package import PermModel

/// What persons do with permissions by command: through the broker that runs, or in a store that none serves.
package protocol PermissionControl {
  /// The requests that wait, the longest waiting first, each with the alert that it has by itself.
  func pending() throws -> [PendingRequest]

  /// Answers a request, and no other.
  ///
  /// - Parameter digest: That of the request's alert, as it was read.
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before, ``BrokerError/changed`` if
  ///   something else is asked now than was read, ``BrokerError/invalid(parameter:reason:)`` for an answer that the
  ///   alert does not offer.
  func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) throws

  /// Ends a request without an answer.
  ///
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before.
  func dismiss(_ id: Request.ID) throws

  /// Keeps a decision, and gives it part by part.
  ///
  /// - Parameters:
  ///   - program: A label, a path, or `label@path`.
  ///   - requirement: For example `calendar:reminders`.
  func decide(
    _ verdict: Verdict, _ program: String, _ requirement: String, for lifetime: LifetimeChoice
  ) throws -> [Decision]

  /// Goes back to undecided: for all, for a capability, or for some of its parts. Gives what was forgotten.
  func forget(_ program: String, _ requirement: String?) throws -> [Decision]

  /// Takes the newest change back, or tells what that would do.
  ///
  /// - Throws: ``BrokerError/nothingToUndo``, ``BrokerError/undoRefused(reason:)``.
  func undo(onlyTelling: Bool) throws -> DecisionChange

  /// A page of the journal.
  func journal(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry]
}

extension PermissionControl {
  /// The requests that wait, the longest waiting first.
  package func waitingRequests() throws -> [WaitingRequest] { try pending().map(\.waiting) }
}
