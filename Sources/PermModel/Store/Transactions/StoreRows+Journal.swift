extension StoreRows {
  /// Appends an entry with the next ID, and returns that ID.
  @discardableResult
  func journal(_ entry: JournalEntry) throws -> JournalEntry.ID {
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

/// The replacement, insertion or removal of one decision.
struct DecisionStep {
  var before: Decision?
  var after: Decision?
  var origin: Origin?
  var at: Timestamp
}
