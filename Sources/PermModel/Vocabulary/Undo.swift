/// A change of decisions that can be undone as a whole.
public struct DecisionChange: Hashable, Sendable, Codable, Identifiable {
  public var id: JournalEntry.ID
  /// The journal's entries, in order, one for each decision that changed.
  public var entries: [JournalEntry]

  public init(id: JournalEntry.ID, entries: [JournalEntry]) {
    self.id = id
    self.entries = entries
  }

  public var origin: Origin? { entries.first?.origin }
  public var at: Timestamp? { entries.first?.at }
}

/// The effect that undoing would have, or had.
public struct UndoPreview: Hashable, Sendable {
  public var change: DecisionChange
  /// The decisions that prevent it, because they have changed since. Undo is refused unless this is empty.
  public var conflicts: [UndoConflict]

  public init(change: DecisionChange, conflicts: [UndoConflict] = []) {
    self.change = change
    self.conflicts = conflicts
  }
}

/// The reason one decision cannot be restored.
public struct UndoConflict: Error, Hashable, Sendable {
  public var key: Decision.Key
  /// The decision that the change left behind.
  public var expected: Decision?
  /// The decision that is there now.
  public var found: Decision?

  public init(key: Decision.Key, expected: Decision?, found: Decision?) {
    self.key = key
    self.expected = expected
    self.found = found
  }
}
