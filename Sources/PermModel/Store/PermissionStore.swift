/// Keeps decisions, requests and the journal.
///
/// Every call may come from any thread and returns when it is done; each call that changes something is one
/// transaction, and with a store on disk what it returned is on disk. Decisions that are over count for
/// nothing from their moment on; the next change journals them as expired.
public protocol PermissionStore: Sendable {
  /// Clocks, ids and the life signs of sessions and processes that this store goes by.
  var environment: StoreEnvironment { get }

  /// Why nothing can be changed, in words; `nil` where it can.
  var readOnlyReason: String? { get }

  // MARK: Reading

  /// What holds now for one program and one capability. Cheap enough to be asked for every answer.
  func standing(of subject: Subject, capability: String) throws(StoreError) -> Standing

  /// All that a first screen needs, with up to `names` decisions for each capability and verdict.
  func overview(names: Int) throws(StoreError) -> Overview

  /// Decisions in force, at most `limit`, from the one that follows `last` on.
  func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int
  ) throws(StoreError) -> [Decision]

  /// Programs that something is decided for, by label and path, from the one that follows `last` on.
  func programs(after last: Subject?, limit: Int) throws(StoreError) -> [ProgramSummary]

  /// Programs that go by a label or a path, decided for, waiting, or seen before; several may share a label.
  func subjects(named name: String) throws(StoreError) -> [Subject]

  /// Requests without an answer, the longest waiting first.
  func waitingRequests() throws(StoreError) -> [WaitingRequest]

  /// What became of a request's id: whether it is new, waits, or has ended. An id is known for as long as the journal
  /// keeps the entry that it was asked.
  ///
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if something else was asked under that id.
  func state(of request: Request) throws(StoreError) -> RequestState

  /// A page of the journal.
  func journal(_ filter: JournalFilter, _ page: JournalPage) throws(StoreError) -> [JournalEntry]

  /// How a person answered one program about one capability before. What was answered on the program's own terminal
  /// is left out: a program may have answered itself there.
  func history(of subject: Subject, capability: String) throws(StoreError) -> AnswerHistory

  /// What undoing would do: the change given, or the newest one that can be undone. `nil` if there is none
  /// among the last hundred.
  func undoPreview(of change: DecisionChange.ID?) throws(StoreError) -> UndoPreview?

  /// Changes by anyone, as they happen: what was journalled after `position`, and then on and on. Without a
  /// position, from now on. Ends with the task that iterates.
  func changes(since position: JournalEntry.ID?) throws(StoreError) -> StoreChanges

  // MARK: Changing

  /// Keeps decisions, in place of what was decided for the same program and atom.
  ///
  /// - Throws: ``StoreError/nothingToKeep`` for the lifetime `once`, and for `process` without a process.
  @discardableResult
  func decide(_ rulings: [Ruling], by origin: Origin) throws(StoreError) -> [Decision]

  /// Goes back to undecided. Gives what was forgotten; empty if nothing matched.
  @discardableResult
  func forget(_ filter: DecisionFilter, by origin: Origin) throws(StoreError) -> [Decision]

  /// Takes back a change: the one given, or the newest one that can be undone.
  ///
  /// - Throws: ``StoreError/nothingToUndo``, or ``StoreError/undoRefused(_:conflicts:)`` where a decision
  ///   changed since. Then nothing is changed.
  @discardableResult
  func undo(_ change: DecisionChange.ID?, by origin: Origin) throws(StoreError) -> UndoPreview

  /// Keeps a request until it is closed, and binds its id to what it asks. Where the same request waits already, it goes
  /// on waiting; where it has ended, it stays so.
  ///
  /// - Returns: What the request is then: waiting or ended.
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if something else was asked under that id.
  @discardableResult
  func open(_ request: Request) throws(StoreError) -> RequestState

  /// Journals that the request's alert was shown.
  func noteShown(_ id: Request.ID) throws(StoreError)

  /// Marks a request as set aside by the person, or as taken up again.
  func setAside(_ id: Request.ID, _ isSetAside: Bool, by origin: Origin) throws(StoreError)

  /// Marks a request as asked by its program on a terminal of its own, or with `nil` as asked there no longer.
  func setTerminal(_ id: Request.ID, _ terminal: String?) throws(StoreError)

  /// Closes requests by a person's answer, keeps what the answer keeps, and journals both, all or nothing.
  ///
  /// Requests that were closed before are left out: the first answer wins. If none is left, nothing is kept.
  @discardableResult
  func answer(_ ids: [Request.ID], _ answer: Answer, by origin: Origin) throws(StoreError) -> ClosedRequests

  /// Closes requests that end without a person's answer; an answer is journalled as automatic.
  @discardableResult
  func close(_ ids: [Request.ID], _ end: RequestEnd, by origin: Origin) throws(StoreError) -> ClosedRequests

  /// Withdraws the requests whose program is gone.
  @discardableResult
  func withdrawAbandoned() throws(StoreError) -> [Request]

  /// Journals answers that nobody was asked for, and marks the decisions that gave them as used. An allow for
  /// a label alone is bound to the program that used it.
  func record(_ answers: [AutomaticAnswer]) throws(StoreError)

  /// The panic key: suspends all allows, or lets them count again.
  func setSuspended(_ isSuspended: Bool, by origin: Origin) throws(StoreError)

  /// Puts decisions in as they are, and gives what was changed by it. One change, which can be undone.
  @discardableResult
  func importDecisions(_ decisions: [Decision], by origin: Origin) throws(StoreError) -> [Decision]

  /// Deletes journal entries before a moment, the oldest first and at most `limit`, but none of the last hundred
  /// changes. Gives how many.
  @discardableResult
  func pruneJournal(before moment: Timestamp, limit: Int) throws(StoreError) -> Int
}

/// What closing requests did.
public struct ClosedRequests: Hashable, Sendable {
  /// The requests that this call closed.
  public var requests: [Request]
  /// The decisions that it kept.
  public var decisions: [Decision]

  public init(requests: [Request] = [], decisions: [Decision] = []) {
    self.requests = requests
    self.decisions = decisions
  }
}

/// An answer that nobody was asked for.
public struct AutomaticAnswer: Hashable, Sendable {
  public var subject: Subject
  /// The capability's name; `nil` if it was about none.
  public var capability: String?
  public var atoms: Set<Atom>
  public var verdict: Verdict
  /// Why, in words, for example `decided before` or `muted until 15:03`.
  public var reason: String
  /// The decisions that gave it; empty where something else did.
  public var decisions: [Decision]
  /// How many times it was given, up to ``lastAt``.
  package var count = 1
  /// When it was given first; `nil` for the moment at which it is recorded.
  package var at: Timestamp?
  package var lastAt: Timestamp?
  /// What the journal calls it.
  package var kind = JournalEntry.Kind.automatic

  public init(
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
  /// The first screen, with three names for each capability and verdict.
  public func overview() throws(StoreError) -> Overview { try overview(names: 3) }

  /// Decisions in force by program, all that match.
  public func decisions(_ filter: DecisionFilter = DecisionFilter()) throws(StoreError) -> [Decision] {
    try decisions(filter, order: .program, after: nil, limit: .max)
  }

  /// Changes by anyone from now on.
  public func changes() throws(StoreError) -> StoreChanges { try changes(since: nil) }

  /// Keeps one ruling.
  @discardableResult
  public func decide(_ ruling: Ruling, by origin: Origin) throws(StoreError) -> [Decision] {
    try decide([ruling], by: origin)
  }

  /// Journals one answer that nobody was asked for.
  public func record(_ answer: AutomaticAnswer) throws(StoreError) { try record([answer]) }

  /// Closes one request by a person's answer.
  @discardableResult
  public func answer(
    _ id: Request.ID, _ answer: Answer, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try self.answer([id], answer, by: origin)
  }

  /// Closes one request that ends without a person's answer.
  @discardableResult
  public func close(
    _ id: Request.ID, _ end: RequestEnd, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try close([id], end, by: origin)
  }

  /// What undoing the newest change would do.
  public func undoPreview() throws(StoreError) -> UndoPreview? { try undoPreview(of: nil) }

  /// Takes back the newest change that can be undone.
  @discardableResult
  public func undo(by origin: Origin) throws(StoreError) -> UndoPreview { try undo(nil, by: origin) }
}
