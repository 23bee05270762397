extension StoreRows {
  /// Appends an entry with the next ID, and returns that ID.
  @discardableResult
  func journal(
    _ entry: JournalEntry, line: AutomaticAnswer.Line? = nil
  ) throws -> JournalEntry.ID {
    var entry = entry
    entry.id = try nextEntryID()
    try append(entry, line: line)
    return entry.id
  }

  /// Appends the first entry of a store that takes the place of another one. Its ID is higher than all that the other store's
  /// journal is known to have had, so that of two backups the one with the higher last ID always has the later content.
  ///
  /// - Parameter former: The last entry of the store that was there before, if it could be read.
  func journalReplacement(
    _ entry: JournalEntry, of former: JournalEntry.ID?, after backups: StoreBackups
  ) throws {
    var entry = entry
    let known = backups.list().compactMap(\.lastEntry) + [former ?? 0]
    // A damaged file can contain any number.
    let plausible = known.filter { $0 < JournalEntry.ID.max / 2 }
    entry.id = max(try nextEntryID(), (plausible.max() ?? 0) + 1)
    try append(entry)
  }

  /// Begins the journal of an empty store. If there are backups of another one, the journal says so.
  func journalBeginning(after backups: StoreBackups, at moment: Timestamp) throws {
    guard !backups.list().isEmpty else { return }
    var entry = JournalEntry(at: moment, kind: .restored)
    entry.text = "nothing: there was no store, and its backups are in \(backups.paths.backups)"
    try journalReplacement(entry, of: nil, after: backups)
  }

  /// - Throws: ``UnreadableRow`` if the last ID is negative or cannot be incremented. Only damage can cause this.
  private func nextEntryID() throws -> JournalEntry.ID {
    let last = try lastEntryID()
    guard last >= 0, last < .max else { throw UnreadableRow(text: "the journal's last id is \(last)") }
    return last + 1
  }

  /// Inserts, replaces or removes one decision, and journals this step as part of a change.
  ///
  /// - Parameter change: The change that this step belongs to. If it is `nil` and a step of this kind can be undone,
  ///   this step begins a new change.
  /// - Returns: The ID of the change; `nil` if the step belongs to none.
  @discardableResult
  func change(
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

/// The replacement, insertion or removal of one decision. Without `before`, the decision is inserted; without
/// `after`, it is removed.
struct DecisionStep {
  var before: Decision?
  var after: Decision?
  var origin: Origin?
  var at: Timestamp
}
