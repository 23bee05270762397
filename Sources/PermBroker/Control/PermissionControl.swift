package import PermModel

/// Permission commands for people: carried out by the running broker, or in a store that no broker serves.
package protocol PermissionControl {
  /// The waiting requests, the longest waiting first, each with the alert that it would have on its own.
  func pending() throws -> [PendingRequest]

  /// Answers one request, and no other.
  ///
  /// - Parameter digest: The digest of the request's alert when it was read.
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before, ``BrokerError/changed`` if the
  ///   question has changed since it was read, ``BrokerError/invalid(parameter:reason:)`` for an answer that the alert
  ///   does not offer.
  func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) throws

  /// Ends a request without an answer.
  ///
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before.
  func dismiss(_ id: Request.ID) throws

  /// Keeps a decision, and returns it part by part.
  ///
  /// - Parameters:
  ///   - program: A label, a path, or `label@path`.
  ///   - requirement: For example `calendar:reminders`.
  func decide(
    _ verdict: Verdict, _ program: String, _ requirement: String, for lifetime: LifetimeChoice, note: String?
  ) throws -> [Decision]

  /// Resets a program to undecided: entirely, for a capability, or for some of its parts. Returns the forgotten
  /// decisions.
  func forget(_ program: String, _ requirement: String?) throws -> [Decision]

  /// Takes back the newest change, or only reports the effect of doing so.
  ///
  /// - Throws: ``BrokerError/nothingToUndo``, ``BrokerError/undoRefused(reason:)``.
  func undo(onlyTelling: Bool) throws -> DecisionChange

  /// A page of the journal.
  func journal(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry]
}

extension PermissionControl {
  /// The waiting requests, the longest waiting first.
  package func waitingRequests() throws -> [WaitingRequest] { try pending().map(\.waiting) }
}

/// A waiting request, and the alert that it would have on its own, regardless of other requests.
package struct PendingRequest: Hashable, Sendable, Identifiable {
  package var waiting: WaitingRequest
  package var content: RequestAlert

  package init(_ waiting: WaitingRequest, _ content: RequestAlert) {
    self.waiting = waiting
    self.content = content
  }

  package var id: Request.ID { waiting.id }
  package var request: Request { content.request }
  package var alert: Alert { Alert(id: Alert.ID(id.text), content: .request(content)) }
  /// The reasons to be suspicious of the asking program, each in a few words; empty if there are none.
  package var warnings: [String] { request.warnings(content.identity) }
  /// The digest that an answer to this request must carry.
  package var digest: AlertDigest { alert.digest }
}
