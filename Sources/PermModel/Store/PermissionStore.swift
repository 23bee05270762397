/// Keeps decisions, requests and the journal.
///
/// Calls may come from any thread and return when they are done. Each call that changes something is one transaction;
/// in a store on disk, its result is on disk when it returns. A decision stops counting the moment it expires; the next
/// change journals it as expired.
///
/// A store provides only its transactions. Everything done in them is written once, in the extensions.
package protocol PermissionStore: Sendable {
  /// The clocks, ids and life signs of sessions and processes that this store uses.
  var environment: StoreEnvironment { get }

  /// The reason why the store cannot be changed, in words; `nil` if it can.
  var readOnlyReason: String? { get }

  /// Wakes those who watch this store.
  var signals: StoreSignals { get }

  /// Runs a body on one unchanging state of the store.
  func read<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T

  /// Runs a body that reads with a single statement.
  func glance<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T

  /// Runs a body that changes the store, all or nothing, and notifies watchers.
  func write<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T
}

// MARK: Reading

extension PermissionStore {
  private func look<T: Sendable>(_ body: (StoreRows, Moment) throws -> T) throws(StoreError) -> T {
    try read { rows in try body(rows, environment.now()) }
  }

  /// The decisions, mute and suspension in force for one program and one capability. Cheap enough to be called for
  /// every answer.
  package func standing(of subject: Subject, capability: String) throws(StoreError) -> Standing {
    try glance { rows in try rows.standing(of: subject, capability: capability, at: environment.now()) }
  }

  /// The contents of a first screen, with up to `names` decisions for each capability and verdict.
  package func overview(names: Int = 3) throws(StoreError) -> Overview {
    try look { rows, moment in try rows.overview(names: names, at: moment) }
  }

  /// The decisions in force after `last`, at most `limit`.
  package func decisions(
    _ filter: DecisionFilter = DecisionFilter(), order: DecisionOrder = .program, after last: Decision? = nil,
    limit: Int = .max
  ) throws(StoreError) -> [Decision] {
    try look { rows, moment in
      try rows.decisions(filter, order: order, after: last, limit: limit, at: moment)
    }
  }

  /// The programs after `last` that have decisions, by label and path.
  package func programs(after last: Subject?, limit: Int) throws(StoreError) -> [ProgramSummary] {
    try look { rows, moment in try rows.programs(after: last, limit: limit, at: moment) }
  }

  /// The programs with this label or path that have decisions, are waiting, or were seen before; several may share a
  /// label.
  package func subjects(named name: String) throws(StoreError) -> [Subject] {
    try glance { rows in try rows.subjects(named: name) }
  }

  /// Requests without an answer, the longest waiting first.
  package func waitingRequests() throws(StoreError) -> [WaitingRequest] {
    try glance { rows in try rows.waitingRequests() }
  }

  /// The state of a request's id: whether it is new, waiting or ended. An id is known as long as the journal keeps the
  /// entry for its request.
  ///
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if the id was used to ask something else.
  package func state(of request: Request) throws(StoreError) -> RequestState {
    try read { rows in try rows.state(of: request) }
  }

  /// A page of the journal.
  package func journal(_ filter: JournalFilter, _ page: JournalPage) throws(StoreError) -> [JournalEntry] {
    try glance { rows in try rows.entries(filter, page) }
  }

  /// A person's earlier answers to one program about one capability. Answers on the program's own terminal are left
  /// out, because the program may have given them itself.
  package func history(of subject: Subject, capability: String) throws(StoreError) -> AnswerHistory {
    try glance { rows in try rows.answers(to: subject, capability: capability) }
  }

  /// The effect of undoing a change: the given one, or the newest one that can be undone. `nil` if there is none among
  /// the last hundred.
  package func undoPreview(of change: DecisionChange.ID? = nil) throws(StoreError) -> UndoPreview? {
    try look { rows, moment in try rows.undoPreview(of: change, at: moment) }
  }

  /// Changes by anyone, as they happen: first those journalled after `position`, then each new one. Without a position,
  /// only new ones. Ends when the iterating task does.
  package func changes(since position: JournalEntry.ID? = nil) throws(StoreError) -> StoreChanges {
    let newest = try read { try $0.lastEntryID() }
    return StoreChanges(since: position ?? newest, signals: signals) { id throws(StoreError) in
      try journal(.all, .newer(than: id, StoreChanges.batch))
    }
  }
}

// MARK: Changing

extension PermissionStore {
  /// Makes a change at the present moment, after journalling the decisions that ended before it.
  private func change<T: Sendable>(_ body: (StoreRows, Moment) throws -> T) throws(StoreError) -> T {
    try write { rows in
      let moment = environment.now()
      try rows.expire(at: moment)
      return try body(rows, moment)
    }
  }

  /// Keeps decisions, replacing earlier ones for the same program and atom.
  ///
  /// - Throws: ``StoreError/nothingToKeep`` for the lifetime `once`, and for `process` without a process.
  @discardableResult
  package func decide(_ rulings: [Ruling], by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.decide(rulings, by: origin, at: moment) }
  }

  /// Keeps one ruling.
  @discardableResult
  package func decide(_ ruling: Ruling, by origin: Origin) throws(StoreError) -> [Decision] {
    try decide([ruling], by: origin)
  }

  /// Resets decisions to undecided. Returns the forgotten decisions; empty if nothing matched.
  @discardableResult
  package func forget(_ filter: DecisionFilter, by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.forget(filter, by: origin, at: moment) }
  }

  /// Takes back a change: the given one, or the newest one that can be undone.
  ///
  /// - Throws: ``StoreError/nothingToUndo``, or ``StoreError/undoRefused(_:conflicts:)`` if a decision has changed
  ///   since. In both cases nothing is changed.
  @discardableResult
  package func undo(
    _ change: DecisionChange.ID? = nil, by origin: Origin
  ) throws(StoreError) -> UndoPreview {
    try self.change { rows, moment in try rows.undo(change, by: origin, at: moment) }
  }

  /// Keeps a request until it is closed, and binds its id to its question. If the same request is waiting already, it
  /// keeps waiting; if it has ended, it remains ended.
  ///
  /// - Returns: The request's state afterwards: waiting or ended.
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if the id was used to ask something else.
  @discardableResult
  package func open(_ request: Request) throws(StoreError) -> RequestState {
    try change { rows, moment in try rows.open(request, process: environment.thisProcess, at: moment) }
  }

  /// Journals that the request's alert was shown.
  package func noteShown(_ id: Request.ID) throws(StoreError) {
    try change { rows, moment in try rows.noteShown(id, at: moment) }
  }

  /// Marks a request as set aside by the person, or as taken up again.
  package func setAside(_ id: Request.ID, _ isSetAside: Bool, by origin: Origin) throws(StoreError) {
    try change { rows, moment in try rows.setAside(id, isSetAside, by: origin, at: moment) }
  }

  /// Marks a request as asked by its program on a terminal of its own, or with `nil` as no longer asked there.
  package func setTerminal(_ id: Request.ID, _ terminal: String?) throws(StoreError) {
    try change { rows, moment in try rows.setTerminal(id, terminal, at: moment) }
  }

  /// Closes requests with a person's answer, keeps the answer's decisions, and journals both, all or nothing.
  ///
  /// Requests that were closed before are left out: the first answer wins. If no requests are left, no decisions are
  /// kept.
  @discardableResult
  package func answer(
    _ ids: [Request.ID], _ answer: Answer, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try change { rows, moment in try rows.answer(ids, answer, by: origin, at: moment) }
  }

  /// Closes one request with a person's answer.
  @discardableResult
  package func answer(
    _ id: Request.ID, _ answer: Answer, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try self.answer([id], answer, by: origin)
  }

  /// Closes requests that end without a person's answer; an answer is journalled as automatic.
  @discardableResult
  package func close(
    _ ids: [Request.ID], _ end: RequestEnd, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try change { rows, moment in try rows.close(ids, end, by: origin, at: moment) }
  }

  /// Closes one request that ends without a person's answer.
  @discardableResult
  package func close(
    _ id: Request.ID, _ end: RequestEnd, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try close([id], end, by: origin)
  }

  /// Withdraws the requests of programs that are gone.
  @discardableResult
  package func withdrawAbandoned() throws(StoreError) -> [Request] {
    try change { rows, moment in try rows.withdrawAbandoned(at: moment) }
  }

  /// Journals answers given without asking anybody, and marks the decisions behind them as used. An allow for a label
  /// alone is bound to the program that used it.
  package func record(_ answers: [AutomaticAnswer]) throws(StoreError) {
    try change { rows, moment in
      for answer in answers { try rows.record(answer, at: moment) }
    }
  }

  /// Journals one answer given without asking anybody.
  package func record(_ answer: AutomaticAnswer) throws(StoreError) { try record([answer]) }

  /// The panic key: suspends all decisions to allow, or restores them.
  package func setSuspended(_ isSuspended: Bool, by origin: Origin) throws(StoreError) {
    try change { rows, moment in try rows.setSuspended(isSuspended, by: origin, at: moment) }
  }

  /// Imports decisions unchanged, and returns those that changed the store. The import is one change, which can be
  /// undone.
  @discardableResult
  package func importDecisions(_ decisions: [Decision], by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.importDecisions(decisions, by: origin, at: moment) }
  }

  /// Deletes journal entries before a moment, the oldest first and at most `limit`, but none of the last hundred
  /// changes. Returns the number of deleted entries.
  @discardableResult
  package func pruneJournal(before moment: Timestamp, limit: Int) throws(StoreError) -> Int {
    try change { rows, _ in try rows.pruneJournal(before: moment, limit: limit) }
  }

  /// Deletes journal entries before a moment, but none of the last hundred changes, in small steps, so that nobody
  /// waits long. Returns the number of deleted entries.
  @discardableResult
  package func pruneJournal(before moment: Timestamp) throws(StoreError) -> Int {
    let step = 5_000
    var all = 0
    while true {
      let deleted = try pruneJournal(before: moment, limit: step)
      all += deleted
      if deleted < step { return all }
    }
  }
}

/// The effect of closing requests.
package struct ClosedRequests: Hashable, Sendable {
  /// The requests that this call closed.
  package var requests: [Request] = []
  /// The decisions that it kept.
  package var decisions: [Decision] = []
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

extension ProgramName {
  /// Returns the store's programs with this name. One program may be there as several files, the newest last.
  package func known(in store: any PermissionStore) throws(StoreError) -> [Subject] {
    try store.subjects(named: path ?? text).filter(matches)
  }
}
