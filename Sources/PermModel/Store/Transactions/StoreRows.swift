/// The rows of a store, which one transaction reads and changes, without any rules about them.
///
/// Both stores provide only this. Every rule is written once, in the extensions beside this file.
protocol StoreRows {
  func decision(_ key: Decision.Key) throws -> Decision?
  /// Returns decisions in order, including those that have ended.
  func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int
  ) throws -> [Decision]
  /// Returns the decisions whose lifetime is over, and possibly others.
  func decisionsThatMayBeOver(at moment: Moment) throws -> [Decision]
  /// Returns the first end by the wall clock after a moment; `nil` if there is none.
  func nextEnd(after moment: Timestamp) throws -> Timestamp?
  /// Returns the decisions for a program, and for its label alone, about a capability or everything, and the
  /// suspension. This is a single statement, because every answer needs it.
  func glance(at subject: Subject, capability: String) throws -> Glance
  /// Returns the programs after one, with the number of their decisions, including those that have ended.
  func programs(after last: Subject?, limit: Int) throws -> [ProgramSummary]
  func subjects(named name: String) throws -> [Subject]
  mutating func put(_ decision: Decision) throws
  mutating func remove(_ key: Decision.Key) throws

  /// Returns the number of programs with something allowed and denied, including ended decisions, and the last to ask.
  func tallies() throws -> [CapabilitySummary]
  mutating func noteAsked(_ capability: String, at moment: Timestamp) throws

  func request(_ id: Request.ID) throws -> WaitingRequest?
  func waitingRequests() throws -> [WaitingRequest]
  mutating func put(_ request: WaitingRequest) throws
  mutating func removeRequest(_ id: Request.ID) throws

  /// Returns the ID of the newest entry; 0 if there is none.
  func lastEntryID() throws -> JournalEntry.ID
  func entries(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry]
  func entries(ofChange change: DecisionChange.ID) throws -> [JournalEntry]
  /// Returns the newest changes of decisions, newest first, and whether each was undone.
  func recentChanges(limit: Int) throws -> [RecentChange]
  func answers(to subject: Subject, capability: String) throws -> AnswerHistory
  /// Appends an entry with the ID that it has.
  mutating func append(_ entry: JournalEntry) throws
  /// Counts an automatic answer in the entry of an earlier one, which has the newest parts from then on.
  mutating func count(_ id: JournalEntry.ID, _ answer: AutomaticAnswer, at moment: Timestamp) throws
  /// Removes old entries, the oldest first, except the very last one. Returns their number.
  mutating func removeEntries(
    before moment: Timestamp, keepingChangesFrom change: DecisionChange.ID, limit: Int
  ) throws -> Int

  func suspension() throws -> Suspension?
  mutating func setSuspension(_ suspension: Suspension?) throws
}

extension StoreRows {
  /// Appends an entry with the next ID, and returns that ID.
  @discardableResult
  mutating func journal(_ entry: JournalEntry) throws -> JournalEntry.ID {
    var entry = entry
    entry.id = try nextEntryID()
    try append(entry)
    return entry.id
  }

  /// - Throws: ``UnreadableRow`` if damage has left the journal an ID that cannot be followed by another.
  private func nextEntryID() throws -> JournalEntry.ID {
    let last = try lastEntryID()
    guard last >= 0, last < .max else { throw UnreadableRow(text: "the journal's last id is \(last)") }
    return last + 1
  }

  /// Inserts, replaces or removes one decision, and journals it as part of a change.
  ///
  /// - Parameter change: The change that this belongs to; `nil` begins a new one if the kind can be undone.
  /// - Returns: The ID of the change.
  @discardableResult
  mutating func change(
    _ kind: JournalEntry.Kind, _ step: DecisionStep, in change: DecisionChange.ID? = nil
  ) throws -> DecisionChange.ID? {
    if let after = step.after {
      try put(after)
    } else if let before = step.before {
      try remove(before.key)
    }
    var entry = JournalEntry(kind, from: step.before, to: step.after, by: step.origin, at: step.at)
    entry.id = try nextEntryID()
    entry.change = change ?? (kind.isUndoable ? entry.id : nil)
    try append(entry)
    return entry.change
  }
}

/// The replacement, insertion or removal of one decision.
struct DecisionStep {
  var before: Decision?
  var after: Decision?
  var origin: Origin?
  var at: Timestamp
}

/// One of the newest changes.
struct RecentChange: Hashable, Sendable {
  var id: DecisionChange.ID
  var isUndone: Bool
}

/// All facts that an answer to one program about one capability depends on, including ended decisions.
struct Glance: Hashable, Sendable {
  var decisions: [Decision] = []
  var suspension: Suspension?
}

/// A row that no version of the program wrote.
struct UnreadableRow: Error {
  var text: String
}
