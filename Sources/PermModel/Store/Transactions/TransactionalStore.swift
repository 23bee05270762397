/// A store that provides transactions over rows, and inherits every rule.
protocol TransactionalStore: PermissionStore {
  associatedtype Rows: StoreRows

  /// Runs a body on one unchanging state of the store.
  func read<T: Sendable>(_ body: (Rows) throws -> T) throws(StoreError) -> T

  /// Runs a body that reads with a single statement.
  func glance<T: Sendable>(_ body: (Rows) throws -> T) throws(StoreError) -> T

  /// Runs a body that changes the store, all or nothing, and notifies watchers.
  func write<T: Sendable>(_ body: (inout Rows) throws -> T) throws(StoreError) -> T
}

extension TransactionalStore {
  /// Makes a change at the present moment, after journalling the decisions that ended before it.
  private func change<T: Sendable>(_ body: (inout Rows, Moment) throws -> T) throws(StoreError) -> T {
    try write { rows in
      let moment = environment.now()
      try rows.expire(at: moment)
      return try body(&rows, moment)
    }
  }

  private func look<T: Sendable>(_ body: (Rows, Moment) throws -> T) throws(StoreError) -> T {
    try read { rows in try body(rows, environment.now()) }
  }

  package func standing(of subject: Subject, capability: String) throws(StoreError) -> Standing {
    try glance { rows in try rows.standing(of: subject, capability: capability, at: environment.now()) }
  }

  package func overview(names: Int) throws(StoreError) -> Overview {
    try look { rows, moment in try rows.overview(names: names, at: moment) }
  }

  package func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int
  ) throws(StoreError) -> [Decision] {
    try look { rows, moment in
      try rows.decisions(filter, order: order, after: last, limit: limit, at: moment)
    }
  }

  package func programs(after last: Subject?, limit: Int) throws(StoreError) -> [ProgramSummary] {
    try look { rows, moment in try rows.programs(after: last, limit: limit, at: moment) }
  }

  package func subjects(named name: String) throws(StoreError) -> [Subject] {
    try glance { rows in try rows.subjects(named: name) }
  }

  package func waitingRequests() throws(StoreError) -> [WaitingRequest] {
    try glance { rows in try rows.waitingRequests() }
  }

  package func state(of request: Request) throws(StoreError) -> RequestState {
    try read { rows in try rows.state(of: request) }
  }

  package func journal(_ filter: JournalFilter, _ page: JournalPage) throws(StoreError) -> [JournalEntry] {
    try glance { rows in try rows.entries(filter, page) }
  }

  package func history(of subject: Subject, capability: String) throws(StoreError) -> AnswerHistory {
    try glance { rows in try rows.answers(to: subject, capability: capability) }
  }

  package func undoPreview(of change: DecisionChange.ID?) throws(StoreError) -> UndoPreview? {
    try look { rows, moment in try rows.undoPreview(of: change, at: moment) }
  }
}

extension TransactionalStore {
  @discardableResult
  package func decide(_ rulings: [Ruling], by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.decide(rulings, by: origin, at: moment) }
  }

  @discardableResult
  package func forget(_ filter: DecisionFilter, by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.forget(filter, by: origin, at: moment) }
  }

  @discardableResult
  package func undo(_ change: DecisionChange.ID?, by origin: Origin) throws(StoreError) -> UndoPreview {
    try self.change { rows, moment in try rows.undo(change, by: origin, at: moment) }
  }

  @discardableResult
  package func open(_ request: Request) throws(StoreError) -> RequestState {
    try change { rows, moment in try rows.open(request, process: environment.thisProcess, at: moment) }
  }

  package func noteShown(_ id: Request.ID) throws(StoreError) {
    try change { rows, moment in try rows.noteShown(id, at: moment) }
  }

  package func setAside(_ id: Request.ID, _ isSetAside: Bool, by origin: Origin) throws(StoreError) {
    try change { rows, moment in try rows.setAside(id, isSetAside, by: origin, at: moment) }
  }

  package func setTerminal(_ id: Request.ID, _ terminal: String?) throws(StoreError) {
    try change { rows, moment in try rows.setTerminal(id, terminal, at: moment) }
  }

  @discardableResult
  package func answer(
    _ ids: [Request.ID], _ answer: Answer, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try change { rows, moment in try rows.answer(ids, answer, by: origin, at: moment) }
  }

  @discardableResult
  package func close(
    _ ids: [Request.ID], _ end: RequestEnd, by origin: Origin
  ) throws(StoreError) -> ClosedRequests {
    try change { rows, moment in try rows.close(ids, end, by: origin, at: moment) }
  }

  @discardableResult
  package func withdrawAbandoned() throws(StoreError) -> [Request] {
    try change { rows, moment in try rows.withdrawAbandoned(at: moment) }
  }

  package func record(_ answers: [AutomaticAnswer]) throws(StoreError) {
    try change { rows, moment in
      for answer in answers { try rows.record(answer, at: moment) }
    }
  }

  package func setSuspended(_ isSuspended: Bool, by origin: Origin) throws(StoreError) {
    try change { rows, moment in try rows.setSuspended(isSuspended, by: origin, at: moment) }
  }

  @discardableResult
  package func importDecisions(_ decisions: [Decision], by origin: Origin) throws(StoreError) -> [Decision] {
    try change { rows, moment in try rows.importDecisions(decisions, by: origin, at: moment) }
  }

  @discardableResult
  package func pruneJournal(before moment: Timestamp, limit: Int) throws(StoreError) -> Int {
    try change { rows, _ in try rows.pruneJournal(before: moment, limit: limit) }
  }
}
