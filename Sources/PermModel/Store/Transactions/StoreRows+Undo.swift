/// The number of changes that can be undone, counted from the most recent one.
private let undoDepth = 100

extension StoreRows {
  /// Returns a preview of undoing the given change. If none is given, uses the newest change that still has something
  /// to undo.
  ///
  /// The search for the newest change skips changes that can no longer be undone even in part, for example
  /// because all their decisions have expired since.
  func undoPreview(of change: DecisionChange.ID?, at moment: Moment) throws -> UndoPreview? {
    let open = try recentChanges(limit: undoDepth).filter { !$0.isUndone }.map(\.id)
    if let change {
      return open.contains(change) ? try preview(change, at: moment) : nil
    }
    for id in open {
      let preview = try preview(id, at: moment)
      if preview.conflicts.count < preview.change.entries.count { return preview }
    }
    return nil
  }

  func undo(
    _ change: DecisionChange.ID?, by origin: Origin, at moment: Moment
  ) throws -> UndoPreview {
    guard let preview = try undoPreview(of: change, at: moment) else { throw StoreError.nothingToUndo }
    guard preview.conflicts.isEmpty else {
      throw StoreError.undoRefused(preview.change, conflicts: preview.conflicts)
    }
    for entry in preview.change.entries.reversed() {
      let restored = entry.before.flatMap { $0.isInForce(at: moment) ? $0 : nil }
      try self.change(
        .undone, DecisionStep(before: entry.after, after: restored, origin: origin, at: moment.wall),
        in: preview.change.id)
    }
    return preview
  }

  /// Deletes old entries, except those that a later undo might need. Returns the number of deleted entries.
  func pruneJournal(before moment: Timestamp, limit: Int) throws -> Int {
    let oldest = try recentChanges(limit: undoDepth).last?.id ?? lastEntryID().addingClamped(1)
    return try removeEntries(before: moment, keepingChangesFrom: oldest, limit: limit)
  }

  private func preview(_ id: DecisionChange.ID, at moment: Moment) throws -> UndoPreview {
    let entries = try entries(ofChange: id)
    var conflicts: [UndoConflict] = []
    for entry in entries {
      guard let key = (entry.after ?? entry.before)?.key else { continue }
      let found = try decision(key).flatMap { $0.isInForce(at: moment) ? $0 : nil }
      guard !isSame(found, entry.after) else { continue }
      conflicts.append(UndoConflict(key: key, expected: entry.after, found: found))
    }
    return UndoPreview(change: DecisionChange(id: id, entries: entries), conflicts: conflicts)
  }

  private func isSame(_ one: Decision?, _ other: Decision?) -> Bool {
    one?.saysTheSame(as: other) ?? (other == nil)
  }
}
