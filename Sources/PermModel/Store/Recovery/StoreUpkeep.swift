extension PermissionStore {
  /// Deletes journal entries before a moment, but none of the last hundred changes, in small steps, so that nobody
  /// waits long. Returns the number of deleted entries.
  @discardableResult
  package func pruneJournal(before moment: Timestamp) throws(StoreError) -> Int {
    let step = 5_000
    var all = 0
    while true {
      let deleted = try pruneJournal(before: moment, limit: step)
      all += deleted
      if deleted < step { return all }
    }
  }
}

extension SQLiteStore {
  /// Performs a store's daily upkeep: a backup, and then, so that no entry is lost without a copy, the removal of
  /// expired journal entries. Takes time in proportion to the file's size, so it runs after the first screen.
  ///
  /// - Parameter days: The number of days for which journal entries are kept; `nil` for forever.
  package func keepUp(journalDays days: Int?) throws(StoreError) {
    guard try backUpIfDue() != nil, let days else { return }
    try pruneJournal(before: environment.now().wall + .seconds(-86_400 * days))
  }
}
