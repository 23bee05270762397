/// Keeps decisions, requests and the journal.
///
/// Calls may come from any thread and return when they are done. Each call that changes something is one transaction;
/// in a store on disk, its result is on disk when it returns. A decision stops counting the moment it expires; the next
/// change journals it as expired.
package protocol PermissionStore: Sendable {
  /// The clocks, ids and life signs of sessions and processes that this store uses.
  var environment: StoreEnvironment { get }

  /// The reason why the store cannot be changed, in words; `nil` if it can.
  var readOnlyReason: String? { get }

  // MARK: Reading

  /// The decisions, mute and suspension in force for one program and one capability. Cheap enough to be called for
  /// every answer.
  func standing(of subject: Subject, capability: String) throws(StoreError) -> Standing

  /// The contents of a first screen, with up to `names` decisions for each capability and verdict.
  func overview(names: Int) throws(StoreError) -> Overview

  /// The decisions in force after `last`, at most `limit`.
  func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int
  ) throws(StoreError) -> [Decision]

  /// The programs after `last` that have decisions, by label and path.
  func programs(after last: Subject?, limit: Int) throws(StoreError) -> [ProgramSummary]

  /// The programs with this label or path that have decisions, are waiting, or were seen before; several may share a
  /// label.
  func subjects(named name: String) throws(StoreError) -> [Subject]

  /// Requests without an answer, the longest waiting first.
  func waitingRequests() throws(StoreError) -> [WaitingRequest]

  /// The state of a request's id: whether it is new, waiting or ended. An id is known as long as the journal keeps the
  /// entry for its request.
  ///
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if the id was used to ask something else.
  func state(of request: Request) throws(StoreError) -> RequestState

  /// A page of the journal.
  func journal(_ filter: JournalFilter, _ page: JournalPage) throws(StoreError) -> [JournalEntry]

  /// A person's earlier answers to one program about one capability. Answers on the program's own terminal are left
  /// out, because the program may have given them itself.
  func history(of subject: Subject, capability: String) throws(StoreError) -> AnswerHistory

  /// The effect of undoing a change: the given one, or the newest one that can be undone. `nil` if there is none among
  /// the last hundred.
  func undoPreview(of change: DecisionChange.ID?) throws(StoreError) -> UndoPreview?

  /// Changes by anyone, as they happen: first those journalled after `position`, then each new one. Without a position,
  /// only new ones. Ends when the iterating task does.
  func changes(since position: JournalEntry.ID?) throws(StoreError) -> StoreChanges

  // MARK: Changing

  /// Keeps decisions, replacing earlier ones for the same program and atom.
  ///
  /// - Throws: ``StoreError/nothingToKeep`` for the lifetime `once`, and for `process` without a process.
  @discardableResult
  func decide(_ rulings: [Ruling], by origin: Origin) throws(StoreError) -> [Decision]

  /// Resets decisions to undecided. Returns the forgotten decisions; empty if nothing matched.
  @discardableResult
  func forget(_ filter: DecisionFilter, by origin: Origin) throws(StoreError) -> [Decision]

  /// Takes back a change: the given one, or the newest one that can be undone.
  ///
  /// - Throws: ``StoreError/nothingToUndo``, or ``StoreError/undoRefused(_:conflicts:)`` if a decision has changed
  ///   since. In both cases nothing is changed.
  @discardableResult
  func undo(_ change: DecisionChange.ID?, by origin: Origin) throws(StoreError) -> UndoPreview

  /// Keeps a request until it is closed, and binds its id to its question. If the same request is waiting already, it
  /// keeps waiting; if it has ended, it remains ended.
  ///
  /// - Returns: The request's state afterwards: waiting or ended.
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if the id was used to ask something else.
  @discardableResult
  func open(_ request: Request) throws(StoreError) -> RequestState

  /// Journals that the request's alert was shown.
  func noteShown(_ id: Request.ID) throws(StoreError)

  /// Marks a request as set aside by the person, or as taken up again.
  func setAside(_ id: Request.ID, _ isSetAside: Bool, by origin: Origin) throws(StoreError)

  /// Marks a request as asked by its program on a terminal of its own, or with `nil` as no longer asked there.
  func setTerminal(_ id: Request.ID, _ terminal: String?) throws(StoreError)

  /// Closes requests with a person's answer, keeps the answer's decisions, and journals both, all or nothing.
  ///
  /// Requests that were closed before are left out: the first answer wins. If no requests are left, no decisions are
  /// kept.
  @discardableResult
  func answer(_ ids: [Request.ID], _ answer: Answer, by origin: Origin) throws(StoreError) -> ClosedRequests

  /// Closes requests that end without a person's answer; an answer is journalled as automatic.
  @discardableResult
  func close(_ ids: [Request.ID], _ end: RequestEnd, by origin: Origin) throws(StoreError) -> ClosedRequests

  /// Withdraws the requests of programs that are gone.
  @discardableResult
  func withdrawAbandoned() throws(StoreError) -> [Request]

  /// Journals answers given without asking anybody, and marks the decisions behind them as used. An allow for a label
  /// alone is bound to the program that used it.
  func record(_ answers: [AutomaticAnswer]) throws(StoreError)

  /// The panic key: suspends all decisions to allow, or restores them.
  func setSuspended(_ isSuspended: Bool, by origin: Origin) throws(StoreError)

  /// Imports decisions unchanged, and returns those that changed the store. The import is one change, which can be
  /// undone.
  @discardableResult
  func importDecisions(_ decisions: [Decision], by origin: Origin) throws(StoreError) -> [Decision]

  /// Deletes journal entries before a moment, the oldest first and at most `limit`, but none of the last hundred
  /// changes. Returns the number of deleted entries.
  @discardableResult
  func pruneJournal(before moment: Timestamp, limit: Int) throws(StoreError) -> Int
}

/// The effect of closing requests.
package struct ClosedRequests: Hashable, Sendable {
  /// The requests that this call closed.
  package var requests: [Request]
  /// The decisions that it kept.
  package var decisions: [Decision]

  package init(requests: [Request] = [], decisions: [Decision] = []) {
    self.requests = requests
    self.decisions = decisions
  }
}

/// An answer given without asking anybody.
package struct AutomaticAnswer: Hashable, Sendable {
  package var subject: Subject
  /// The capability's name; `nil` if the answer was not about one.
  package var capability: String?
  package var atoms: Set<Atom>
  package var verdict: Verdict
  /// The reason in words, for example `decided before` or `muted until 15:03`.
  package var reason: String
  /// The decisions behind the answer; empty if it has another source.
  package var decisions: [Decision]
  /// The number of times it was given, up to ``lastAt``.
  package var count = 1
  /// The moment when it was first given; `nil` for the moment when it is recorded.
  package var at: Timestamp?
  package var lastAt: Timestamp?
  /// The kind of its journal entry.
  package var kind = JournalEntry.Kind.automatic

  package init(
    _ verdict: Verdict, subject: Subject, capability: String?, atoms: Set<Atom>, reason: String,
    decisions: [Decision] = []
  ) {
    self.verdict = verdict
    self.subject = subject
    self.capability = capability
    self.atoms = atoms
    self.reason = reason
    self.decisions = decisions
  }
}

extension PermissionStore {
  /// The contents of the first screen, with three names for each capability and verdict.
  package func overview() throws(StoreError) -> Overview { try overview(names: 3) }

  /// All matching decisions in force, by program.
  package func decisions(_ filter: DecisionFilter = DecisionFilter()) throws(StoreError) -> [Decision] {
    try decisions(filter, order: .program, after: nil, limit: .max)
  }

  /// Changes by anyone, from now on.
  package func changes() throws(StoreError) -> StoreChanges { try changes(since: nil) }

  /// Keeps one ruling.
  @discardableResult
  package func decide(_ ruling: Ruling, by origin: Origin) throws(StoreError) -> [Decision] {
    try decide([ruling], by: origin)
  }

  /// Journals one answer given without asking anybody.
  package func record(_ answer: AutomaticAnswer) throws(StoreError) { try record([answer]) }

  /// Closes one request with a person's answer.
  @discardableResult
  package func answer(
    _ id: Request.ID, _ answer: Answer, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try self.answer([id], answer, by: origin)
  }

  /// Closes one request that ends without a person's answer.
  @discardableResult
  package func close(
    _ id: Request.ID, _ end: RequestEnd, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try close([id], end, by: origin)
  }

  /// The effect of undoing the newest change.
  package func undoPreview() throws(StoreError) -> UndoPreview? { try undoPreview(of: nil) }

  /// Takes back the newest change that can be undone.
  @discardableResult
  package func undo(by origin: Origin) throws(StoreError) -> UndoPreview { try undo(nil, by: origin) }
}
