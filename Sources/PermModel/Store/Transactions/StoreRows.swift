/// What one transaction reads and changes: the rows of a store, without any rule about them.
///
/// Both stores bring only this. Every rule is written once, in the extensions beside this file.
protocol StoreRows {
  func decision(_ key: Decision.Key) throws -> Decision?
  /// Decisions in order, ended ones included.
  func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int
  ) throws -> [Decision]
  /// Decisions whose lifetime is over. May give more than these, never less.
  func decisionsThatMayBeOver(at moment: Moment) throws -> [Decision]
  /// The first end by the wall clock after a moment; `nil` if there is none.
  func nextEnd(after moment: Timestamp) throws -> Timestamp?
  /// Decisions for a program, and for its label alone, that touch a capability or everything, and the
  /// suspension. One statement, as this is asked for every answer.
  func glance(at subject: Subject, capability: String) throws -> Glance
  /// The programs after one, with what they have, ended decisions included.
  func programs(after last: Subject?, limit: Int) throws -> [ProgramSummary]
  func subjects(named name: String) throws -> [Subject]
  mutating func put(_ decision: Decision) throws
  mutating func remove(_ key: Decision.Key) throws

  /// How many programs have something allowed and denied, ended decisions included, and who asked last.
  func tallies() throws -> [CapabilitySummary]
  mutating func noteAsked(_ capability: String, at moment: Timestamp) throws

  func request(_ id: Request.ID) throws -> WaitingRequest?
  func waitingRequests() throws -> [WaitingRequest]
  mutating func put(_ request: WaitingRequest) throws
  mutating func removeRequest(_ id: Request.ID) throws

  /// The id of the newest entry; 0 while there is none.
  func lastEntryID() throws -> JournalEntry.ID
  func entries(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry]
  func entries(ofChange change: DecisionChange.ID) throws -> [JournalEntry]
  /// The newest changes of decisions, newest first, and whether each was undone.
  func recentChanges(limit: Int) throws -> [RecentChange]
  func answers(to subject: Subject, capability: String) throws -> AnswerHistory
  /// Appends an entry under the id that it has.
  mutating func append(_ entry: JournalEntry) throws
  /// Counts an automatic answer in the entry of an earlier one, which tells the newest parts from then on.
  mutating func count(_ id: JournalEntry.ID, _ answer: AutomaticAnswer, at moment: Timestamp) throws
  /// Removes old entries, the oldest first, except the very last one. Gives how many.
  mutating func removeEntries(
    before moment: Timestamp, keepingChangesFrom change: DecisionChange.ID, limit: Int
  ) throws -> Int

  func suspension() throws -> Suspension?
  mutating func setSuspension(_ suspension: Suspension?) throws
}

extension StoreRows {
  /// Appends an entry under the next id, and gives that.
  @discardableResult
  mutating func journal(_ entry: JournalEntry) throws -> JournalEntry.ID {
    var entry = entry
    entry.id = try nextEntryID()
    try append(entry)
    return entry.id
  }

  /// - Throws: ``UnreadableRow`` if damage has left the journal an id after which there is none.
  private func nextEntryID() throws -> JournalEntry.ID {
    let last = try lastEntryID()
    guard last >= 0, last < .max else { throw UnreadableRow(text: "the journal's last id is \(last)") }
    return last + 1
  }

  /// Puts, replaces or removes one decision, and journals it as part of a change.
  ///
  /// - Parameter change: the change that this belongs to; `nil` begins one where the kind can be undone.
  /// - Returns: the id of the change.
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

/// One decision that becomes another, or appears, or goes.
struct DecisionStep {
  var before: Decision?
  var after: Decision?
  var origin: Origin?
  var at: Timestamp
}

/// A change among the newest.
struct RecentChange: Hashable, Sendable {
  var id: DecisionChange.ID
  var isUndone: Bool
}

/// All that an answer to one program about one capability depends on, ended decisions included.
struct Glance: Hashable, Sendable {
  var decisions: [Decision] = []
  var suspension: Suspension?
}
