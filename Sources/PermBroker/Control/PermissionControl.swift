package import PermModel

/// What persons do with permissions by command: through the broker that runs, or in a store that none serves.
package protocol PermissionControl {
  /// The requests that wait, the longest waiting first, with what is doubtful about who asks.
  func pending() throws -> [PendingRequest]

  /// Answers a request for all that it asked; without a verdict it is dismissed.
  ///
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before.
  func answer(_ id: Request.ID, _ verdict: Verdict?, for lifetime: LifetimeChoice, note: String?) throws

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
