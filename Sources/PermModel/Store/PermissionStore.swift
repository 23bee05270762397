import Machine

/// A store of decisions, requests and the journal.
///
/// The methods can be called from any thread, and return when they are done. Unless stated otherwise, each call that
/// changes something is one transaction, and if the store is a file, the change is on disk when the call returns. A
/// decision has no effect once it has expired. Its expiry is journalled by the next call that changes something.
///
/// A conforming type provides only the transactions. The operations inside the transactions are the same
/// for all stores, and are implemented in extensions.
package protocol PermissionStore: Sendable {
  /// The clocks, the source of IDs, and the session and process checks that this store uses.
  var environment: StoreEnvironment { get }

  /// The human-readable reason why the store cannot be changed; `nil` if it can be changed.
  var readOnlyReason: String? { get }

  /// The signals that wake the watchers of this store.
  var signals: StoreSignals { get }

  /// The known links to programs that put each new version into a new file.
  var knownLinks: KnownLinks { get }

  /// Returns a number that differs after each change, by any process, from the number before it.
  func version() throws(StoreError) -> Int

  /// Runs a closure that sees one unchanging state of the store.
  func read<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T

  /// Runs a closure that reads with a single statement and therefore needs no transaction.
  func glance<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T

  /// Runs a closure that changes the store, and notifies watchers. If the closure throws, nothing is changed.
  ///
  /// - Parameter durability: The losses that the change survives from the return of this call on, if the store is a file.
  func write<T: Sendable>(
    surviving durability: Durability, _ body: (StoreRows) throws -> T
  ) throws(StoreError) -> T
}

extension PermissionStore {
  /// Runs a closure that changes the store, as ``write(surviving:_:)`` does. The change is on disk on return.
  package func write<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T {
    try write(surviving: .powerLoss, body)
  }

  /// No links, for stores that are not in a folder.
  package var knownLinks: KnownLinks { KnownLinks() }
}

// MARK: Reading

extension PermissionStore {
  private func look<T: Sendable>(_ body: (StoreRows, Moment) throws -> T) throws(StoreError) -> T {
    try read { rows in try body(rows, environment.now()) }
  }

  /// Returns the decisions, mute and suspension that are in force for one program and one capability. This
  /// method is cheap enough to be called for every answer.
  ///
  /// - Parameter atoms: The atoms that are asked for. Decisions on which their states do not depend are left out. If it
  ///   is `nil`, all decisions about the capability are returned.
  package func standing(
    of subject: Subject, capability: String, asking atoms: Set<Atom>? = nil
  ) throws(StoreError) -> DecisionsInForce {
    var standing = try glance { rows in
      try rows.standing(of: subject, capability: capability, asking: atoms, at: environment.now())
    }
    standing.protected = environment.protected
    return standing
  }

  /// Returns the suspension that a panic started; `nil` if there is none.
  package func suspension() throws(StoreError) -> Suspension? { try glance { try $0.suspension() } }

  /// Returns the data for the first screen, with up to `names` decisions for each capability and verdict.
  package func overview(names: Int = 3) throws(StoreError) -> Overview {
    try look { rows, moment in try rows.overview(names: names, at: moment) }
  }

  /// Returns at most `limit` decisions in force that follow `last` in the given order.
  package func decisions(
    _ filter: DecisionFilter = DecisionFilter(), order: DecisionOrder = .program, after last: Decision? = nil,
    limit: Int = .max
  ) throws(StoreError) -> [Decision] {
    try look { rows, moment in
      try rows.decisions(filter, order: order, after: last, limit: limit, at: moment)
    }
  }

  /// Returns the decisions in force that allow any program to write in a folder, or in something that is in it.
  package func decisionsToWrite(in folder: AbsolutePath) throws(StoreError) -> [Decision] {
    try look { rows, moment in try rows.decisionsToWrite(in: folder).filter { $0.isInForce(at: moment) } }
  }

  /// Returns at most `limit` programs that have decisions in force and follow `last`, sorted by label and path.
  package func programs(after last: Subject?, limit: Int) throws(StoreError) -> [ProgramSummary] {
    try look { rows, moment in try rows.programs(after: last, limit: limit, at: moment) }
  }

  /// Returns the programs with this label or path that have decisions. Also returns programs with this label that occur
  /// only in the journal. Several programs can share a label.
  package func subjects(named name: String) throws(StoreError) -> [Subject] {
    try glance { rows in try rows.subjects(named: name) }
  }

  /// Returns the programs for which a person has answered under a label, except those whose sandbox is no longer there.
  func answeredPrograms(label: String) throws(StoreError) -> Set<AnsweredProgram> {
    try look { rows, moment in
      try rows.answeredPrograms(label: label).filter { program in
        program.subject.sandbox.map { moment.isRunning($0.process) } ?? true
      }
    }
  }

  /// Whether something was decided about this program as an agent in a folder.
  package func isAgent(_ subject: Subject) throws(StoreError) -> Bool {
    try glance { rows in try rows.isAgent(subject) }
  }

  /// Returns the requests that are waiting for an answer, the oldest first.
  package func waitingRequests() throws(StoreError) -> [StoredRequest] {
    try glance { rows in try rows.waitingRequests() }
  }

  /// Returns the request with the given id, if it is waiting.
  package func waitingRequest(_ id: Request.ID) throws(StoreError) -> StoredRequest? {
    try glance { rows in try rows.request(id) }
  }

  /// Returns the requests of a process that are waiting for an answer, the oldest first.
  package func waitingRequests(of process: ProcessIdentity) throws(StoreError) -> [StoredRequest] {
    try glance { rows in try rows.requests(of: process) }
  }

  /// Returns the number of requests that are waiting for an answer.
  package func waitingCount() throws(StoreError) -> Int {
    try glance { rows in try rows.waitingCount() }
  }

  /// Returns whether a request is new, waiting or ended. An ended request is recognized by its ID as long as
  /// the journal keeps the entry about it.
  ///
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if the ID belongs to a different request.
  package func state(of request: Request) throws(StoreError) -> RequestState {
    try read { rows in try rows.state(of: request) }
  }

  /// Returns one page of the journal entries that match a filter.
  package func journal(_ filter: JournalFilter, _ page: JournalPage) throws(StoreError) -> [JournalEntry] {
    try glance { rows in try rows.entries(filter, page) }
  }

  /// Returns the person's earlier answers to one program about one capability. Answers on the program's own terminal
  /// are left out, because the program itself might have typed them.
  package func history(of subject: Subject, capability: String) throws(StoreError) -> AnswerHistory {
    try glance { rows in try rows.answers(to: subject, capability: capability) }
  }

  /// Returns how often the person allowed exactly these atoms since midnight, each time for one request only. Answers on
  /// the program's own terminal are left out, as in ``history(of:capability:)``.
  package func timesAllowedToday(_ atoms: Set<Atom>, to subject: Subject) throws(StoreError) -> Int {
    let midnight = LocalTime(environment.now().wall).midnight
    return try glance { rows in try rows.timesAllowed(atoms, to: subject, since: midnight) }
  }

  /// Returns the effect of undoing or redoing the given change. If none is given, uses the newest change that can be
  /// undone, or the one that was undone last. Returns `nil` if there is no such change among the last thousand.
  package func preview(
    _ step: HistoryStep, of change: DecisionChange.ID? = nil
  ) throws(StoreError) -> UndoPreview? {
    try look { rows, moment in try rows.preview(step, of: change, at: moment) }
  }

  /// Returns all changes by any process: first those that were journalled after `position`, then each new one as it
  /// happens. Without a position, returns only new changes. The sequence ends when the iterating task is cancelled.
  package func changes(since position: JournalEntry.ID? = nil) throws(StoreError) -> StoreChanges {
    let newest = try read { try $0.lastEntryID() }
    return StoreChanges(since: position ?? newest, signals: signals) { id throws(StoreError) in
      try journal(.all, .newer(than: id, StoreChanges.batch))
    }
  }
}

// MARK: Changing

extension PermissionStore {
  /// Makes a change at the current time. First removes decisions that have already ended, and journals their end.
  private func change<T: Sendable>(
    surviving durability: Durability = .powerLoss, _ body: (StoreRows, Moment) throws -> T
  ) throws(StoreError) -> T {
    try write(surviving: durability) { rows in
      let moment = environment.now()
      try rows.expire(at: moment)
      return try body(rows, moment)
    }
  }

  /// Stores decisions. They replace earlier decisions for the same program and atom.
  ///
  /// - Throws: ``StoreError/nothingToKeep`` if the rulings lead to no decision that can be stored, for example because
  ///   their lifetime is `once`.
  package func keep(_ rulings: [Ruling], by origin: Origin) throws(StoreError) -> DecisionResult {
    try change { rows, moment in try rows.decide(rulings, by: origin, at: moment) }
  }

  /// Stores decisions as ``keep(_:by:)`` does, and returns only these decisions.
  @discardableResult
  package func decide(_ rulings: [Ruling], by origin: Origin) throws(StoreError) -> [Decision] {
    try keep(rulings, by: origin).decisions
  }

  /// Stores the decisions of one ruling.
  @discardableResult
  package func decide(_ ruling: Ruling, by origin: Origin) throws(StoreError) -> [Decision] {
    try decide([ruling], by: origin)
  }

  /// Forgets the decisions that match a filter, and returns these decisions. Their atoms are then undecided again.
  @discardableResult
  package func forget(_ filter: DecisionFilter, by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.forget(filter, by: origin, at: moment) }
  }

  /// Forgets those of the given allows that no program has used since a moment, as one change, and returns them.
  @discardableResult
  package func forget(
    _ allows: [Decision.Key], unusedSince limit: Timestamp, by origin: Origin
  ) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.forget(allows, unusedSince: limit, by: origin, at: moment) }
  }

  /// Undoes or redoes the given change. If none is given, undoes the newest change that can be undone, or redoes the
  /// change that was undone last.
  ///
  /// - Throws: ``StoreError/nothingToUndo`` or ``StoreError/nothingToRedo``, or
  ///   ``StoreError/undoRefused(_:conflicts:)`` if a decision has been changed since. In all these cases the store is
  ///   not changed.
  @discardableResult
  package func take(
    _ step: HistoryStep, of change: DecisionChange.ID? = nil, by origin: Origin
  ) throws(StoreError) -> UndoPreview {
    try self.change { rows, moment in try rows.take(step, of: change, by: origin, at: moment) }
  }

  /// Undoes the given change, or the newest change that can be undone.
  @discardableResult
  package func undo(
    _ change: DecisionChange.ID? = nil, by origin: Origin
  ) throws(StoreError) -> UndoPreview {
    try take(.undo, of: change, by: origin)
  }

  /// Stores a request until it is closed, and reserves its ID. A request that is already waiting continues
  /// to wait, and a request that has ended remains ended. No flush is waited for, because after a loss of power there is no
  /// program that asks.
  ///
  /// - Returns: The request's state afterwards: waiting or ended.
  /// - Throws: ``StoreError/requestIDTaken(_:)`` if the ID belongs to a different request.
  @discardableResult
  package func open(_ request: Request) throws(StoreError) -> RequestState {
    try change(surviving: .processEnd) { rows, moment in
      try rows.open(request, process: environment.thisProcess, at: moment)
    }
  }

  /// Replaces a waiting request with the same request, whose values mean something else by now. A relative path, for
  /// example, leads elsewhere after the working folder has moved.
  ///
  /// - Returns: Whether the request still waits. If it has ended, nothing is replaced.
  package func replace(_ request: Request) throws(StoreError) -> Bool {
    try change(surviving: .processEnd) { rows, moment in try rows.replace(request, at: moment) }
  }

  /// Journals that the request's alert was shown.
  package func noteShown(_ id: Request.ID) throws(StoreError) {
    try change(surviving: .processEnd) { rows, moment in try rows.noteShown(id, at: moment) }
  }

  /// Marks a request as set aside by the person, or as no longer set aside.
  package func setAside(_ id: Request.ID, _ isSetAside: Bool, by origin: Origin) throws(StoreError) {
    try change { rows, moment in try rows.setAside(id, isSetAside, by: origin, at: moment) }
  }

  /// Records the terminal on which a program asks the person about its own request. Pass `nil` if the program no longer
  /// asks on a terminal.
  package func setTerminal(_ id: Request.ID, _ terminal: String?) throws(StoreError) {
    try change { rows, moment in try rows.setTerminal(id, terminal, at: moment) }
  }

  /// Closes requests with a person's answer, stores the resulting decisions, and journals all of this.
  ///
  /// Skips requests that are already closed, because the first answer wins. If all of them are closed, no decision is
  /// stored.
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

  /// Closes requests that end without a person's answer. If `end` contains an answer, that answer is journalled as an
  /// automatic answer.
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

  /// Withdraws the requests of programs that are no longer running, and returns these requests.
  @discardableResult
  package func withdrawAbandoned() throws(StoreError) -> [Request] {
    try change { rows, moment in try rows.withdrawAbandoned(at: moment) }
  }

  /// Journals answers that were given without asking anybody. Marks each decision behind such an answer as used. A
  /// decision that allows something for a label alone is bound to the program that used it.
  package func record(_ answers: [AutomaticAnswer]) throws(StoreError) {
    try change { rows, moment in
      for answer in answers { try rows.record(answer, at: moment) }
    }
  }

  /// Journals how the use ended that an answer to a request allowed.
  package func noteUse(of request: Request, hasFailed: Bool) throws(StoreError) {
    try change { rows, moment in
      var entry = JournalEntry(.used, request, by: nil, at: moment.wall)
      entry.text = hasFailed ? JournalEntry.failed : JournalEntry.done
      try rows.journal(entry)
    }
  }

  /// Journals one answer that was given without asking anybody.
  package func record(_ answer: AutomaticAnswer) throws(StoreError) { try record([answer]) }

  /// Suspends all decisions that allow something, or puts them back into effect. The panic key does this.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult
  package func setSuspended(_ isSuspended: Bool, by origin: Origin) throws(StoreError) -> Bool {
    try change { rows, moment in try rows.setSuspended(isSuspended, by: origin, at: moment) }
  }

  /// Records in the journal that the person's notification command failed.
  package func noteNotifyFailed(_ reason: String) throws(StoreError) {
    try change { rows, moment in
      _ = try rows.journal(
        JournalEntry(at: moment.wall, kind: .notifyFailed, origin: .broker, text: reason))
    }
  }

  /// Records in the journal that a row of the desktop's permission store was changed.
  package func noteDesktop(
    _ words: String, of program: Subject?, capability: String?, by origin: Origin
  ) throws(StoreError) {
    try change { rows, moment in
      _ = try rows.journal(
        JournalEntry(
          at: moment.wall, kind: .desktop, origin: origin, subject: program, capability: capability,
          text: words))
    }
  }

  /// Imports decisions without altering them, and returns those that changed the store. The whole import is a single
  /// change, which can be undone.
  @discardableResult
  package func importDecisions(_ decisions: [Decision], by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.importDecisions(decisions, by: origin, at: moment) }
  }

  /// Deletes at most `limit` journal entries that are older than the given time, starting with the oldest.
  /// Keeps the entries of the last thousand changes. Returns the number of deleted entries.
  @discardableResult
  package func pruneJournal(before moment: Timestamp, limit: Int) throws(StoreError) -> Int {
    try change { rows, _ in try rows.pruneJournal(before: moment, limit: limit) }
  }

  /// Deletes all journal entries that are older than the given time, except those of the last thousand changes. Uses
  /// several small transactions, so that no other process has to wait long. Returns the number of deleted entries.
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
  /// The decisions that this call stored.
  package var decisions: [Decision] = []
}

extension ProgramName {
  /// Returns the store's programs with this name. A program is returned once for each of its files.
  package func known(in store: any PermissionStore) throws(StoreError) -> [Subject] {
    try store.subjects(named: path ?? text).filter(matches)
  }
}
