/// A change of decisions that can be taken back as a whole.
public struct DecisionChange: Hashable, Sendable, Codable, Identifiable {
  public var id: JournalEntry.ID
  /// What happened, in order, one entry for each decision that changed.
  public var entries: [JournalEntry]

  public init(id: JournalEntry.ID, entries: [JournalEntry]) {
    self.id = id
    self.entries = entries
  }

  public var origin: Origin? { entries.first?.origin }
  public var at: Timestamp? { entries.first?.at }
}

/// What undoing would do, or did.
public struct UndoPreview: Hashable, Sendable {
  public var change: DecisionChange
  /// Decisions that stand in the way, because they changed since. Undo is refused unless this is empty.
  public var conflicts: [UndoConflict]

  public init(change: DecisionChange, conflicts: [UndoConflict] = []) {
    self.change = change
    self.conflicts = conflicts
  }
}

/// Why one decision cannot be taken back to what it was.
public struct UndoConflict: Error, Hashable, Sendable {
  public var key: Decision.Key
  /// What the change left behind.
  public var expected: Decision?
  /// What stands there now.
  public var found: Decision?

  public init(key: Decision.Key, expected: Decision?, found: Decision?) {
    self.key = key
    self.expected = expected
    self.found = found
  }
}
