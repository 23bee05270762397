import Foundation
import GRDB
import Machine

/// The backups of a store. They are made with SQLite's backup function, checked, and rotated.
struct StoreBackups {
  let paths: StorePaths

  /// The number of backups to keep. Older backups are deleted.
  static let kept = 5

  /// Returns the existing backups, the newest first.
  func list() -> [StoreBackup] {
    Folder.names(in: paths.backups)
      .compactMap { StoreBackup(named: $0, in: paths) }
      .sorted { $0.madeAt > $1.madeAt }
  }

  /// Makes a backup of the state that a connection sees. The copy gets the name of a backup only after SQLite has
  /// checked that it is intact.
  func make(of source: Database, at moment: Timestamp) throws -> StoreBackup {
    let name = "\(paths.name)-\(FileStamp.text(moment)).sqlite"
    let backup = StoreBackup(path: paths.backups + "/" + name, madeAt: moment)
    // Two processes can make a backup in the same second, each with a draft of its own.
    let draft = "\(backup.path)\(StoreBackups.draftEnding).\(RandomID.make())"
    try systemErrors { () throws(SystemError) in try Folder.make(paths.backups) }
    defer { Files.remove(draft) }
    try systemErrors { () throws(SystemError) in try Files.make(draft) }
    try copy(source, to: draft)
    try systemErrors { () throws(SystemError) in
      try Files.flush(draft)
      try Files.move(draft, to: backup.path)
    }
    rotate(at: moment)
    return backup
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
      guard let end = name.range(of: StoreBackups.draftEnding),
        let draft = StoreBackup(named: String(name[..<end.lowerBound]), in: paths),
        now - draft.madeAt > .seconds(3600)
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

  init(path: String, madeAt: Timestamp) {
    self.path = path
    self.madeAt = madeAt
  }

  /// Parses the time in the name of a backup. Returns `nil` if the file is not a backup of this store.
  init?(named name: String, in paths: StorePaths) {
    guard let stamp = name.rest(after: paths.name + "-"), stamp.hasSuffix(".sqlite"),
      let madeAt = FileStamp.timestamp(String(stamp.dropLast(".sqlite".count)))
    else { return nil }
    self.init(path: paths.backups + "/" + name, madeAt: madeAt)
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
