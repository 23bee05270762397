extension PermissionStore {
  /// Deletes journal entries before a moment, but none of the last hundred changes, in small steps, so that nobody waits
  /// long. Gives how many.
  @discardableResult
  public func pruneJournal(before moment: Timestamp) throws(StoreError) -> Int {
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
  /// What a store needs once a day: a backup, and after it, so that nothing goes that is nowhere else, the end of what
  /// the journal no longer keeps. Takes time in step with the file's size, so it is for after the first screen.
  ///
  /// - Parameter days: For how many days the journal is kept; `nil` for ever.
  public func keepUp(journalDays days: Int?) throws(StoreError) {
    guard try backUpIfDue() != nil, let days else { return }
    try pruneJournal(before: environment.now().wall + .seconds(-86_400 * days))
  }
}
