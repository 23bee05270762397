import GRDB
import Machine

/// Ways to recover from a damaged store. Damaged files are never overwritten or deleted.
package struct StoreRecovery: Sendable {
  private let paths: StorePaths
  private let environment: StoreEnvironment

  package init(path: String, environment: StoreEnvironment) {
    paths = StorePaths(path: path)
    self.environment = environment
  }

  /// Backups that were intact when they were made, the newest first.
  package var backups: [StoreBackup] { StoreBackups(paths: paths).list() }

  /// Renames the store, and the files that SQLite keeps beside it, to a name that contains the date. The next
  /// start then creates a new store.
  ///
  /// - Returns: The new path of the renamed store.
  /// - Throws: ``StoreError/inUse(path:)`` if another process has the store open.
  @discardableResult
  package func moveAside() throws(StoreError) -> String {
    let lock = try FileLock(paths, .move)
    defer { withExtendedLifetime(lock) {} }
    let aside = asidePath()
    try moveAsideLocked(to: aside)
    return aside
  }

  /// Replaces the store with a backup, and records the replacement in the journal of the restored store. The former
  /// store is moved aside first.
  ///
  /// - Returns: The new path of the former store; `nil` if there was none.
  /// - Throws: ``StoreError/inUse(path:)`` if another process has the store open.
  @discardableResult
  package func restore(_ backup: StoreBackup, by origin: Origin) throws(StoreError) -> String? {
    let lock = try FileLock(paths, .move)
    defer { withExtendedLifetime(lock) {} }
    let draft = paths.path + ".restoring"
    let files = ["", "-wal", "-shm"].map { draft + $0 }
    files.forEach(Files.remove)
    defer { files.forEach(Files.remove) }
    // The draft is prepared before anything is moved, so that a failure leaves everything as it was.
    try copy(backup.path, to: draft)
    let stands = try StoreFile(paths: paths).status(paths.path) != nil
    let place = stands ? asidePath() : nil
    try prepare(draft, text: restoredText(backup, place), by: origin)
    if let place { try moveAsideLocked(to: place) }
    try move(draft, to: paths.path)
    Folder.flush(paths.folder)
    return place
  }

  private func restoredText(_ backup: StoreBackup, _ aside: String?) -> String {
    let former = aside.map { "; what stood there is \($0)" } ?? ""
    return "the backup \(backup.path)\(former)"
  }

  /// Makes the copy of a backup ready for use: migrates it to the current version, switches it to a write-ahead log,
  /// and journals the restoration.
  private func prepare(_ draft: String, text: String, by origin: Origin) throws(StoreError) {
    try storeErrors(at: paths.path) {
      // The log is merged into the file at the end, so only one file has to be renamed.
      try DatabaseQueue.open(draft, for: "restore") { db in
        try StoreSchema(path: paths.path).migrate(db) {}
        try StoreSchema.keepLog(db)
        var entry = JournalEntry(at: environment.now().wall, kind: .restored, origin: origin)
        entry.text = text
        try StoreRows(db: db).journalReplacement(entry, of: lastEntry, after: StoreBackups(paths: paths))
      }
    }
  }

  /// The last entry in the journal of the store that is replaced; `nil` if it cannot be read.
  private var lastEntry: JournalEntry.ID? { try? StoreConnection(paths: paths).lastEntryUnchanged() }

  private func asidePath() -> String {
    let stamp = FileStamp.text(environment.now().wall)
    var aside = "\(paths.folder)/\(paths.name)-damaged-\(stamp).sqlite"
    // A later move within the same second must not overwrite the files of an earlier one.
    if Files.exists(aside) {
      aside = "\(aside.dropLast(".sqlite".count))-\(environment.makeID()).sqlite"
    }
    return aside
  }

  private func moveAsideLocked(to aside: String) throws(StoreError) {
    for ending in ["", "-wal", "-shm"] where Files.exists(paths.path + ending) {
      try move(paths.path + ending, to: aside + ending)
    }
    Folder.flush(paths.folder)
  }

  private func move(_ path: String, to target: String) throws(StoreError) {
    try systemErrors { () throws(SystemError) in try Files.move(path, to: target) }
  }

  private func copy(_ source: String, to target: String) throws(StoreError) {
    try systemErrors { () throws(SystemError) in
      try Files.make(target, Files.bytes(of: source, followingLinks: false))
    }
  }
}
