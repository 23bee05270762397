public import PermModel

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

/// A request that waits, and the alert that it has by itself, whatever else waits with it.
public struct PendingRequest: Hashable, Sendable, Identifiable {
  public var waiting: WaitingRequest
  public var content: RequestAlert

  public init(_ waiting: WaitingRequest, _ content: RequestAlert) {
    self.waiting = waiting
    self.content = content
  }

  public var id: Request.ID { waiting.id }
  public var request: Request { content.request }
  public var alert: Alert { Alert(id: Alert.ID(id.text), content: .request(content)) }
  /// The reasons to be suspicious of the program that asks, each in a few words; empty if there are none.
  package var warnings: [String] { request.warnings(content.identity) }
  /// What an answer to this request must carry.
  public var digest: AlertDigest { alert.digest }
}
