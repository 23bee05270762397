import GRDB
import Machine

/// The backups of a store. They are made with SQLite's backup function, checked, and rotated.
struct StoreBackups {
  let paths: StorePaths

  /// The number of backups to keep. Older backups are deleted.
  static let kept = 5

  /// Returns the existing backups, the one with the most recent content first. The times in their names do not count, because
  /// the clock might have been wrong or set back. Backups that cannot be read come last.
  func list() -> [StoreBackup] {
    Folder.names(in: paths.backups)
      .compactMap { StoreBackup(named: $0, in: paths) }
      .sorted { ($0.lastEntry ?? -1, $0.madeAt) > ($1.lastEntry ?? -1, $1.madeAt) }
  }

  /// Makes a backup of the state that a connection sees. The copy gets the name of a backup only after SQLite has
  /// checked that it is intact.
  ///
  /// - Parameter rotates: Whether to delete the oldest backups.
  func make(of source: Database, at moment: Timestamp, rotates: Bool = true) throws -> StoreBackup {
    let name = "\(paths.name)-\(FileStamp.text(moment)).sqlite"
    let path = paths.backups + "/" + name
    // Two processes can make a backup in the same second, each with a draft of its own.
    let draft = "\(path)\(StoreBackups.draftEnding).\(RandomID.make())"
    try systemErrors { () throws(SystemError) in try Folder.make(paths.backups) }
    defer { Files.remove(draft) }
    try systemErrors { () throws(SystemError) in try Files.make(draft) }
    try copy(source, to: draft)
    try systemErrors { () throws(SystemError) in
      try Files.flush(draft)
      try Files.move(draft, to: path)
    }
    if rotates { rotate(at: moment) }
    return StoreBackup(path: path, madeAt: moment)
  }

  private func copy(_ source: Database, to path: String) throws {
    try DatabaseQueue.open(path, for: "backup") { db in
      try source.backup(to: db)
      // Without a write-ahead log, the backup is a single file, which can be copied elsewhere.
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? ""
      guard finding == "ok" else { throw StoreError.damaged(path: paths.path, detail: finding) }
    }
  }

  /// Deletes all but the newest backups. Also deletes incomplete backups that a killed process left behind
  /// more than an hour ago.
  private func rotate(at now: Timestamp) {
    for old in list().dropFirst(StoreBackups.kept) { Files.remove(old.path) }
    for name in Folder.names(in: paths.backups) {
      guard let end = name.firstRange(of: StoreBackups.draftEnding),
        let madeAt = StoreBackup.time(inName: String(name[..<end.lowerBound]), paths),
        now - madeAt > .seconds(3600)
      else { continue }
      Files.remove(paths.backups + "/" + name)
    }
  }

  private static let draftEnding = ".partial"
}

extension SQLiteStore {
  /// Performs a store's daily upkeep: makes a backup if one is due, and then removes expired journal entries.
  /// The backup comes first, so that every removed entry is still in a backup. Takes time proportional to the
  /// file's size, so call this only after the first screen is visible.
  ///
  /// - Parameter days: The number of days for which journal entries are kept; `nil` to keep them forever.
  package func keepUp(journalDays days: Int?) throws(StoreError) {
    guard try backUpIfDue() != nil, let days else { return }
    try pruneJournal(before: environment.now().wall + .seconds(-86_400 * days))
  }

  /// Makes a backup if there is none, or if the newest one is at least a day old. Takes time proportional to
  /// the file's size, so call this only after the first screen is visible.
  ///
  /// - Returns: The new backup; `nil` if none was due, or if the store is read-only.
  @discardableResult
  package func backUpIfDue() throws(StoreError) -> StoreBackup? {
    guard readOnlyReason == nil else { return nil }
    let now = environment.now().wall
    let backups = StoreBackups(paths: paths)
    if let newest = backups.list().first, newest.madeAt <= now, now - newest.madeAt < .seconds(86_400) {
      return nil
    }
    // The backup uses its own connection, so look-ups can continue in the meantime.
    return try storeErrors(at: paths.path) {
      try DatabaseQueue.open(paths.path, for: "backup") { try backups.make(of: $0, at: now) }
    }
  }
}

/// A copy of a store, made while the store was intact.
package struct StoreBackup: Hashable, Sendable {
  package var path: String
  package var madeAt: Timestamp
  /// The last entry of the journal in it, which says how recent its content is; `nil` if the file cannot be read.
  var lastEntry: JournalEntry.ID?

  init(path: String, madeAt: Timestamp) {
    self.path = path
    self.madeAt = madeAt
    lastEntry = try? StoreConnection(paths: StorePaths(path: path)).lastEntryUnchanged()
  }

  /// Returns `nil` if the file is not a backup of this store.
  init?(named name: String, in paths: StorePaths) {
    guard let madeAt = StoreBackup.time(inName: name, paths) else { return nil }
    self.init(path: paths.backups + "/" + name, madeAt: madeAt)
  }

  /// Returns the time in the name of a backup of this store; `nil` for any other name.
  fileprivate static func time(inName name: String, _ paths: StorePaths) -> Timestamp? {
    guard let stamp = name.rest(after: paths.name + "-"), stamp.hasSuffix(".sqlite") else { return nil }
    return FileStamp.timestamp(String(stamp.dropLast(".sqlite".count)))
  }
}

/// The format of times in file names, such as `20261224T180000Z`. Times are in UTC, so that names sort by time.
enum FileStamp {
  static func text(_ moment: Timestamp) -> String {
    let fields = LocalTime(utc: moment)
    return (fields.date + "T" + fields.timeWithSeconds + "Z").filter { $0 != "-" && $0 != ":" }
  }

  /// Returns the time that a string in this format represents; `nil` for any other string.
  static func timestamp(_ text: String) -> Timestamp? {
    let digits = text.utf8.compactMap { (48...57).contains($0) ? Int($0 - 48) : nil }
    guard digits.count == 14 else { return nil }
    func number(_ places: Range<Int>) -> Int { digits[places].reduce(0) { $0 * 10 + $1 } }
    let fields = LocalTime(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
      minute: number(10..<12), second: number(12..<14))
    // The parsed time must give the same string when it is formatted. This rejects strings in any other format.
    return fields.utcTimestamp.flatMap { FileStamp.text($0) == text ? $0 : nil }
  }
}
