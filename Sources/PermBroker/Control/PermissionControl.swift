package import PermModel

/// The commands with which people manage permissions. They are carried out by the running broker, or directly
/// in a store that no broker serves.
package protocol PermissionControl {
  /// Returns the waiting requests, oldest first. Each comes with the alert that would be shown for that request alone.
  func pending() throws -> [PendingRequest]

  /// Answers exactly one request.
  ///
  /// - Parameter digest: The digest of the request's alert as the person read it.
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if the request was answered or withdrawn earlier,
  ///   ``BrokerError/changed`` if the question has changed since the person read it,
  ///   ``BrokerError/invalid(parameter:reason:)`` if the alert does not offer this answer.
  func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) throws

  /// Ends a request without an answer.
  ///
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if the request was answered or withdrawn earlier.
  func dismiss(_ id: Request.ID) throws

  /// Records decisions for a program, as one change: one decision for each part and each scope.
  ///
  /// - Parameters:
  ///   - program: A label, a path, `label@path`, or `everyone`.
  ///   - folder: The absolute path of the folder to which the decision about an agent is limited.
  ///   - lifetime: If it is `nil`, each decision has the longest lifetime that it can have.
  func decide(
    _ verdict: Verdict, _ program: String, in folder: String?, _ requirements: [CapabilityReference],
    for lifetime: LifetimeChoice?, note: String?
  ) throws -> DecisionResult

  /// Checks that this process is allowed to import decisions. Must be called before an import is written to the store.
  ///
  /// - Throws: ``BrokerError/mayNotChange(reason:)`` if it is not.
  func announceImport() throws

  /// Records several decisions, which can be about different programs, as one change.
  func decide(_ decisions: [PlannedDecision]) throws -> DecisionResult

  /// Forgets decisions about a program, as one change: all of them if `requirements` is empty; otherwise, those with
  /// exactly these parts and scopes. A requirement without parts stands for all decisions about its capability. Returns
  /// the forgotten decisions.
  func forget(_ program: String, in folder: String?, _ requirements: [CapabilityReference]) throws
    -> [Decision]

  /// Denies all new requests of a program without an alert. Returns the decision that mutes it.
  ///
  /// - Parameters:
  ///   - program: A label, a path, or `label@path`. A program that nobody has seen can only be named by its path.
  ///   - folder: The absolute path of the folder to which the mute of an agent is limited.
  func mute(_ program: String, in folder: String?, for lifetime: LifetimeChoice) throws -> Decision

  /// Lets a muted program ask again. Returns the decisions that muted it; none if it was not muted.
  func unmute(_ program: String, in folder: String?) throws -> [Decision]

  /// Starts or lifts a panic, during which everything new is denied and all allows are suspended. Returns whether that
  /// changed anything.
  func setPanic(_ isOn: Bool) throws -> Bool

  /// Undoes the newest change, or redoes the one that was undone last. If `onlyTelling` is set, only returns that change.
  ///
  /// - Throws: ``BrokerError/nothingToUndo`` or ``BrokerError/nothingToRedo``; ``BrokerError/undoRefused(reason:)`` if a
  ///   decision has since changed.
  func take(_ step: HistoryStep, onlyTelling: Bool) throws -> DecisionChange

  /// Returns one page of the journal entries that match the filter.
  func journal(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry]
}

extension PermissionControl {
  /// Returns the waiting requests, oldest first.
  package func waitingRequests() throws -> [StoredRequest] { try pending().map(\.waiting) }
}

/// A decision that is to be made, with the program as a person would type it.
package struct PlannedDecision: Hashable, Sendable {
  package var verdict: Verdict
  /// A label, a path, `label@path`, or `everyone`.
  package var program: String
  /// The absolute path of the folder to which the decision about an agent is limited.
  package var folder: String?
  package var requirements: [CapabilityReference]
  /// If it is `nil`, the decision has the longest lifetime that it can have.
  package var lifetime: LifetimeChoice?
  package var note: String?

  package init(
    _ verdict: Verdict, _ program: String, in folder: String? = nil, _ requirements: [CapabilityReference],
    for lifetime: LifetimeChoice? = nil, note: String? = nil
  ) {
    self.verdict = verdict
    self.program = program
    self.folder = folder
    self.requirements = requirements
    self.lifetime = lifetime
    self.note = note
  }
}

/// A waiting request, and the alert that would be shown for this request alone.
package struct PendingRequest: Hashable, Sendable, Identifiable {
  package var waiting: StoredRequest
  package var content: RequestAlert
  /// Whether a dashboard shows the request's alert now.
  package var isOnScreen = false
  /// The id of the broker where the request waits, if that is on another machine; empty on this machine.
  package internal(set) var machine = ""

  package init(_ waiting: StoredRequest, _ content: RequestAlert) {
    self.waiting = waiting
    self.content = content
  }

  package var id: Request.ID { waiting.id }
  /// The id of the request's own alert.
  package var alertID: Alert.ID { Alert.ID(id.text, machine: machine) }
  package var request: Request { content.request }
  package var alert: Alert { Alert(id: alertID, content: .request(content)) }
  /// The reasons to be suspicious of the asking program, each in a few words; empty if there are none.
  package var warnings: [String] { request.warnings(content.identity) }
  /// The digest that an answer to this request must carry.
  package var digest: AlertDigest { alert.digest }
}
