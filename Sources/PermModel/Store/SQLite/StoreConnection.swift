import GRDB
import Machine

/// Opens connections to a store's file.
struct StoreConnection {
  let paths: StorePaths

  /// A connection that reads, after the file was brought to this version.
  ///
  /// It cannot write, so that closing it leaves file and log as they are, whatever is wrong with them.
  ///
  /// - Parameter now: the name of a backup that is made before an older file is changed.
  func reading(at now: Timestamp) throws(StoreError) -> DatabaseQueue {
    let opening = try FileLock(paths, .opening)
    defer { withExtendedLifetime(opening) {} }
    return try storeErrors(at: paths.path) {
      try StoreFile(paths: paths).checkContent()
      let schema = StoreSchema(path: paths.path)
      let settings = Configuration.store(label: "reader", isReadOnly: true)
      let connection = try DatabaseQueue(path: paths.path, configuration: settings)
      guard try connection.inDatabase({ try schema.isOlder($0) }) else { return connection }
      try migrate(schema, at: now)
      return try checked(connection)
    }
  }

  private func migrate(_ schema: StoreSchema, at now: Timestamp) throws {
    let connection = try DatabaseQueue(path: paths.path, configuration: .store(label: "migration"))
    try connection.inDatabase { db in
      try schema.migrate(db) { _ = try StoreBackups(paths: paths).make(of: db, at: now) }
    }
    try connection.close()
  }

  /// A connection that writes, and has what it committed on disk before it goes on.
  func writing() throws(StoreError) -> DatabaseQueue {
    try storeErrors(at: paths.path) {
      let connection = try DatabaseQueue(path: paths.path, configuration: .store(label: "writer"))
      try connection.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      return connection
    }
  }

  /// A connection to a file that cannot be written, or beside which nothing can be made.
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

  /// A connection that makes no index of the log, and takes no locks: whoever writes has an index.
  private func readingWithoutIndex() throws -> DatabaseQueue {
    let settings = Configuration.store(label: "reader", isReadOnly: true, isAlone: true)
    guard try StoreFile(paths: paths).status(paths.log)?.size ?? 0 > 0 else {
      return try DatabaseQueue(path: address("immutable=1"), configuration: settings)
    }
    // What the log holds counts, so it is read into memory.
    return try DatabaseQueue(path: address("vfs=unix-none"), configuration: settings)
  }

  private func checked(_ connection: DatabaseQueue) throws -> DatabaseQueue {
    try connection.inDatabase { try StoreSchema(path: paths.path).check($0) }
    return connection
  }

  /// The path as SQLite takes it with options.
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
  /// - Parameter isAlone: whether the index of the log is kept in memory, where no other process sees it.
  static func store(label: String, isReadOnly: Bool = false, isAlone: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "permtui.\(label)"
    configuration.readonly = isReadOnly
    // Before anything else, as it counts only until the log is opened.
    if isAlone { configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") } }
    // SQLite's own waits grow to a tenth of a second, in which a busy writer lets go and begins again many times, so that
    // whoever waits could be passed over for seconds.
    configuration.busyMode = .callback { tries in
      BlockingThread.sleep(microseconds: .random(in: 500...1_500))
      return tries < 5_000
    }
    // Half of SQLite's own: what is read again and again fits, and each connection keeps its pages for itself.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -1000") }
    configuration.foreignKeysEnabled = false
    configuration.observesSuspensionNotifications = false
    return configuration
  }
}

extension DatabaseError {
  /// Whether SQLite could not make the log or its index beside the file, as on a full disk or a medium that takes
  /// nothing.
  fileprivate var isAboutLogIndex: Bool {
    switch extendedResultCode {
    case .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMMAP: true
    default: [.SQLITE_CANTOPEN, .SQLITE_FULL, .SQLITE_READONLY].contains(resultCode.primaryResultCode)
    }
  }
}

extension DatabaseQueue {
  /// A number that is another one after each commit by another connection. It counts for this one only.
  func commitCount(path: String) throws(StoreError) -> Int {
    try storeErrors(at: path) {
      try unsafeRead { db in
        try Int.fetchOne(try db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      }
    }
  }
}

extension Database {
  /// Runs a body in a transaction, and gives what it returned.
  func inTransaction<T>(_ kind: TransactionKind, returning body: () throws -> T) throws -> T {
    try beginTransaction(kind)
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      // A full disk may have rolled back already.
      if isInsideTransaction { try? rollback() }
      throw error
    }
  }
}
