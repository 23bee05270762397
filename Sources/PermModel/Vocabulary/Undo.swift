/// A change of decisions that can be undone as a whole.
public struct DecisionChange: Hashable, Sendable, Codable, Identifiable {
  public var id: Int64
  /// The journal entries of the change, in order: one for each decision that changed.
  package var entries: [JournalEntry]

  package init(id: JournalEntry.ID, entries: [JournalEntry]) {
    self.id = id
    self.entries = entries
  }

  package var origin: Origin? { entries.first?.origin }
  package var at: Timestamp? { entries.first?.at }
}

/// A direction in the history of decisions.
package enum HistoryStep: String, Hashable, Sendable, Codable {
  /// Takes a change back.
  case undo
  /// Makes an undone change again.
  case redo
}

/// The effect of undoing or redoing a change, whether this is only planned or already done.
package struct UndoPreview: Hashable, Sendable {
  package var change: DecisionChange
  /// The author of the step that would be reversed, which is the change itself or its latest undo or redo.
  package var origin: Origin?
  /// The time of that step.
  package var at: Timestamp
  /// The decisions that prevent the step because they have changed since. The step is refused unless this
  /// list is empty.
  package var conflicts: [UndoConflict]

  package init(change: DecisionChange, origin: Origin?, at moment: Timestamp, conflicts: [UndoConflict]) {
    self.change = change
    self.origin = origin
    self.at = moment
    self.conflicts = conflicts
  }
}

/// The reason why one decision cannot be restored.
public struct UndoConflict: Error, Hashable, Sendable {
  package var key: Decision.Key
  /// The decision as the change left it; `nil` if the change removed it.
  public var expected: Decision?
  /// The decision that is there now; `nil` if there is none.
  public var found: Decision?
}
