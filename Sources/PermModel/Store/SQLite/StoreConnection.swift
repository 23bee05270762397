import GRDB
import Machine

/// A factory for connections to a store's file.
struct StoreConnection {
  let paths: StorePaths

  /// Migrates the file to the current version if necessary, and returns a connection for reading.
  ///
  /// The connection cannot write, so closing it never changes the file or the log, not even if they are damaged.
  ///
  /// - Parameter now: The current time. It is used to name the backup that is made before a file of an older version is
  ///   migrated.
  func reading(at now: Timestamp) throws(StoreError) -> DatabaseQueue {
    let opening = try FileLock(paths, .opening)
    defer { withExtendedLifetime(opening) {} }
    return try storeErrors(at: paths.path) {
      try StoreFile(paths: paths).createOrCheck()
      let schema = StoreSchema(path: paths.path)
      let settings = Configuration.store(label: "reader", isReadOnly: true)
      let connection = try DatabaseQueue(path: paths.path, configuration: settings)
      // A database that is no store is told as that, whatever its header says.
      let isOlder = try connection.inDatabase { try schema.isOlder($0) }
      let hasLostLog = try connection.inDatabase { try schema.checkHeader($0) }
      guard isOlder || hasLostLog else { return connection }
      try migrate(schema, at: now)
      return try checked(connection)
    }
  }

  private func migrate(_ schema: StoreSchema, at now: Timestamp) throws {
    try DatabaseQueue.open(paths.path, for: "migration") { db in
      let backups = StoreBackups(paths: paths)
      var made: StoreBackup?
      do {
        try schema.migrate(
          db, backUp: { made = try backups.make(of: db, at: now, rotates: false) },
          begin: { try StoreRows(db: db).journalBeginning(after: backups, at: now) })
      } catch {
        // Each start would make such a backup, and in the end no other would be left.
        if let made { Files.remove(made.path) }
        throw error
      }
      try StoreSchema.keepLog(db)
    }
  }

  /// Tries the migration of an older file on a copy in memory.
  func tryMigration() throws(StoreError) {
    try storeErrors(at: paths.path) {
      let copy = try DatabaseQueue(configuration: .store(label: "trial"))
      defer { DatabaseQueue.retire(copy) }
      try copy.inDatabase { target in
        let source = try readingWithoutIndex()
        defer { DatabaseQueue.retire(source) }
        try source.inDatabase { try $0.backup(to: target) }
        try StoreSchema(path: paths.path).migrate(target) {}
      }
    }
  }

  /// Returns a connection for writing.
  func writing() throws(StoreError) -> DatabaseQueue {
    try storeErrors(at: paths.path) {
      try DatabaseQueue(path: paths.path, configuration: .store(label: "writer"))
    }
  }

  /// Sets what the next transaction of a connection survives. The log is flushed at each commit, or at the next one that
  /// needs it. Inside a transaction, this would have no effect.
  static func set(_ durability: Durability, in db: Database) throws {
    switch durability {
    case .processEnd: try db.execute(sql: "PRAGMA synchronous = NORMAL")
    case .powerLoss: try db.execute(sql: "PRAGMA synchronous = FULL")
    }
  }

  /// Returns a read-only connection, for use if the file or its folder is not writable.
  func readingOnly() throws(StoreError) -> DatabaseQueue {
    try storeErrors(at: paths.path) {
      try StoreFile(paths: paths).checkContent()
      do {
        let settings = Configuration.store(label: "reader", isReadOnly: true)
        return try checked(DatabaseQueue(path: paths.path, configuration: settings))
      } catch let error as DatabaseError where error.isAboutLogIndex {
        return try checked(readingWithoutIndex())
      }
    }
  }

  /// Returns a connection that neither creates an index of the log nor takes locks. A writer would have created the
  /// index, so there is no writer, and locks are not needed.
  private func readingWithoutIndex() throws -> DatabaseQueue {
    let settings = Configuration.store(label: "reader", isReadOnly: true, isAlone: true)
    guard try StoreFile(paths: paths).status(paths.log)?.size ?? 0 > 0 else {
      return try DatabaseQueue(path: address("immutable=1"), configuration: settings)
    }
    // The log contains data that must be read too. Its index is kept in memory.
    return try DatabaseQueue(path: address("vfs=unix-none"), configuration: settings)
  }

  /// Returns the ID of the last entry in the journal of a file that no other process is using. Neither changes the file nor
  /// creates anything beside it.
  func lastEntryUnchanged() throws -> JournalEntry.ID {
    let connection = try readingWithoutIndex()
    defer { DatabaseQueue.retire(connection) }
    return try connection.inDatabase { try StoreRows(db: $0).lastEntryID() }
  }

  private func checked(_ connection: DatabaseQueue) throws -> DatabaseQueue {
    try connection.inDatabase { try StoreSchema(path: paths.path).check($0) }
    return connection
  }

  /// Returns a URI for SQLite that consists of the store's path and an option.
  private func address(_ option: String) -> String {
    let plain = Set("/-_.~".utf8)
    let path = paths.path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      guard !character.isASCII || !(character.isLetter || character.isNumber || plain.contains(byte)) else {
        return String(character)
      }
      let digits = String(byte, radix: 16)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }
    return "file:" + path.joined() + "?" + option
  }
}

extension Configuration {
  /// The settings of every connection to a store.
  ///
  /// - Parameter isAlone: Whether the index of the log is kept in memory, where no other process can see it.
  static func store(label: String, isReadOnly: Bool = false, isAlone: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "permtui.\(label)"
    configuration.readonly = isReadOnly
    // This statement must come first, because it takes effect only before the log is opened.
    if isAlone { configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") } }
    // SQLite itself waits up to a tenth of a second between attempts, while a busy writer releases and retakes the lock
    // many times. A waiting process might then not get the lock for seconds, so this callback waits for less time.
    configuration.busyMode = .callback { tries in
      BlockingThread.sleep(microseconds: .random(in: 500...1_500))
      return tries < 5_000
    }
    // This is half of SQLite's default. It is enough for the pages that are read frequently, and saves
    // memory, because each connection has its own cache.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -1000") }
    configuration.foreignKeysEnabled = false
    configuration.observesSuspensionNotifications = false
    return configuration
  }
}

extension DatabaseError {
  /// Whether SQLite failed to create the log or its index beside the file, for example on a full or read-only disk.
  fileprivate var isAboutLogIndex: Bool {
    switch extendedResultCode {
    case .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMMAP: true
    default: [.SQLITE_CANTOPEN, .SQLITE_FULL, .SQLITE_READONLY].contains(resultCode.primaryResultCode)
    }
  }
}

extension DatabaseQueue {
  private static let retired = Lock<[DatabaseQueue]>([])

  /// Opens a connection for one task, and closes it, also if the task fails.
  ///
  /// The closed connection, a small object, is kept until the process ends. Otherwise, libdispatch would use a global
  /// queue to release the objects that GRDB has attached to the connection's queue, with the consequence that
  /// `QuietExecutor` describes. Few connections are closed before a process ends: those of a migration and of the daily
  /// backup.
  static func open<T>(_ path: String, for task: String, _ body: (Database) throws -> T) throws -> T {
    let connection = try DatabaseQueue(path: path, configuration: .store(label: task))
    defer { retire(connection) }
    let result = try connection.inDatabase(body)
    // Closing merges the log into the file. A second call has no effect.
    try connection.close()
    return result
  }

  /// Closes a connection, and keeps the object.
  fileprivate static func retire(_ connection: DatabaseQueue) {
    try? connection.close()
    retired.withLock { $0.append(connection) }
  }

  /// Returns a number that changes with each commit by another connection. Numbers from different connections
  /// cannot be compared.
  func commitCount(path: String) throws(StoreError) -> Int {
    try storeErrors(at: path) {
      try unsafeRead { db in
        try Int.fetchOne(try db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      }
    }
  }
}

extension Database {
  /// Runs a closure in a transaction, and returns the closure's result.
  func inTransaction<T>(_ kind: TransactionKind, returning body: () throws -> T) throws -> T {
    try beginTransaction(kind)
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      // SQLite might have rolled back already, for example because the disk is full.
      if isInsideTransaction { try? rollback() }
      throw error
    }
  }
}
