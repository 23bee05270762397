/// A change of decisions that can be undone as a whole.
package struct DecisionChange: Hashable, Sendable, Codable, Identifiable {
  package var id: JournalEntry.ID
  /// The journal entries of the change, in order: one for each decision that changed.
  package var entries: [JournalEntry]

  package init(id: JournalEntry.ID, entries: [JournalEntry]) {
    self.id = id
    self.entries = entries
  }

  package var origin: Origin? { entries.first?.origin }
  package var at: Timestamp? { entries.first?.at }
}

/// The effect of undoing a change, whether the undo is only planned or already done.
package struct UndoPreview: Hashable, Sendable {
  package var change: DecisionChange
  /// The decisions that prevent the undo because they have changed since. The undo is refused unless this
  /// list is empty.
  package var conflicts: [UndoConflict]
}

/// The reason why one decision cannot be restored.
package struct UndoConflict: Error, Hashable, Sendable {
  package var key: Decision.Key
  /// The decision as the change left it; `nil` if the change removed it.
  package var expected: Decision?
  package var found: Decision?
}
