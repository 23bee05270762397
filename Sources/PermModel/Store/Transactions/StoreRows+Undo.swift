/// The number of changes that can be undone, counted from the most recent one.
private let undoDepth = 1_000

extension StoreRows {
  /// Returns a preview of undoing or redoing the given change. If none is given, uses the newest change that can still
  /// be undone, or the change that was undone last.
  ///
  /// The search skips changes that can no longer be reversed even in part, for example because all their decisions have
  /// expired since.
  func preview(
    _ step: HistoryStep, of change: DecisionChange.ID?, at moment: Moment
  ) throws -> UndoPreview? {
    let open = try recentChanges(limit: undoDepth).filter { $0.isUndone == (step == .redo) }
    if let change {
      return open.contains { $0.id == change } ? try preview(step, change, at: moment) : nil
    }
    for id in (step == .redo ? open.sorted { $0.lastEntry > $1.lastEntry } : open).map(\.id) {
      let preview = try preview(step, id, at: moment)
      if preview.conflicts.count < preview.change.entries.count { return preview }
    }
    return nil
  }

  func take(
    _ step: HistoryStep, of change: DecisionChange.ID?, by origin: Origin, at moment: Moment
  ) throws -> UndoPreview {
    guard let preview = try preview(step, of: change, at: moment) else {
      throw step == .undo ? StoreError.nothingToUndo : .nothingToRedo
    }
    guard preview.conflicts.isEmpty else {
      throw StoreError.undoRefused(preview.change, conflicts: preview.conflicts)
    }
    let entries = step == .undo ? preview.change.entries.reversed() : preview.change.entries
    for entry in entries {
      let (from, to) = step.decisions(of: entry)
      let restored = to.flatMap { $0.isInForce(at: moment) ? $0 : nil }
      try self.change(
        step.kind, DecisionStep(before: from, after: restored, origin: origin, at: moment.wall),
        in: preview.change.id)
    }
    return preview
  }

  /// Deletes old entries, except those that a later undo might need. Returns the number of deleted entries.
  func pruneJournal(before moment: Timestamp, limit: Int) throws -> Int {
    let oldest = try recentChanges(limit: undoDepth).last?.id ?? lastEntryID().addingClamped(1)
    return try removeEntries(before: moment, keepingChangesFrom: oldest, limit: limit)
  }

  private func preview(
    _ step: HistoryStep, _ id: DecisionChange.ID, at moment: Moment
  ) throws -> UndoPreview {
    let all = try entries(ofChange: id)
    let entries = all.filter(\.kind.isUndoable)
    let newer = step == .redo ? try placesChanged(after: all.last?.id ?? id) : []
    let conflicts = try entries.compactMap { entry in
      try conflict(step, with: entry, at: moment) ?? conflict(with: newer, entry)
    }
    return UndoPreview(
      change: DecisionChange(id: id, entries: entries), origin: all.last?.origin,
      at: all.last?.at ?? moment.wall, conflicts: conflicts)
  }

  private func conflict(
    _ step: HistoryStep, with entry: JournalEntry, at moment: Moment
  ) throws -> UndoConflict? {
    var (expected, restored) = step.decisions(of: entry)
    guard let key = (expected ?? restored)?.key else { return nil }
    let found = try decision(key).flatMap { $0.isInForce(at: moment) ? $0 : nil }
    // The undo restored no decision that had ended by then, and redoing one that has ended would have no effect.
    if step == .redo, expected?.isInForce(at: moment) == false { expected = nil }
    let isOver = step == .redo && restored?.isInForce(at: moment) == false
    return isSame(found, expected) && !isOver
      ? nil : UndoConflict(key: key, expected: expected, found: found)
  }

  /// Returns the conflict of a redone step with a later decision about the same program and capability. Made afresh, the
  /// decision could have been refused because of that one, or could have taken it back.
  private func conflict(with newer: Set<ChangedPlace>, _ entry: JournalEntry) throws -> UndoConflict? {
    guard let key = (entry.after ?? entry.before)?.key else { return nil }
    let place = ChangedPlace(label: key.subject.label, capability: key.atom.capability)
    guard newer.contains(place) else { return nil }
    return UndoConflict(key: key, expected: entry.before, found: try decision(key))
  }

  private func isSame(_ one: Decision?, _ other: Decision?) -> Bool {
    one?.saysTheSame(as: other) ?? (other == nil)
  }
}

extension HistoryStep {
  /// The kind of journal entry that records the step.
  fileprivate var kind: JournalEntry.Kind { self == .undo ? .undone : .redone }

  /// Returns the decision that the step expects to find, and the one that it puts in its place.
  fileprivate func decisions(of entry: JournalEntry) -> (expected: Decision?, restored: Decision?) {
    self == .undo ? (entry.after, entry.before) : (entry.before, entry.after)
  }
}
