import GRDB
import Glibc

/// Opens connections to a store's file.
struct StoreConnection {
  let paths: StorePaths

  /// A connection that reads, after the file was brought to this version.
  ///
  /// - Parameter now: the name of a backup that is made before an older file is changed.
  func reading(at now: Timestamp) throws(StoreError) -> DatabaseQueue {
    let opening = try StoreLock(paths, .opening)
    defer { withExtendedLifetime(opening) {} }
    return try storeErrors(at: paths.path) {
      let connection = try DatabaseQueue(path: paths.path, configuration: .store(label: "reader"))
      try connection.inDatabase { db in
        try StoreSchema(path: paths.path).migrate(db) {
          _ = try StoreBackups(paths: paths).make(of: db, at: now)
        }
        try db.execute(sql: "PRAGMA query_only = 1")
      }
      return connection
    }
  }

  /// A connection that writes, and has what it committed on disk before it goes on.
  func writing() throws(StoreError) -> DatabaseQueue {
    try storeErrors(at: paths.path) {
      let connection = try DatabaseQueue(path: paths.path, configuration: .store(label: "writer"))
      try connection.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      return connection
    }
  }

  /// A connection to a file that cannot be written.
  func readingOnly() throws(StoreError) -> DatabaseQueue {
    var configuration = Configuration.store(label: "reader")
    configuration.readonly = true
    let settings = configuration
    return try storeErrors(at: paths.path) {
      do {
        return try checked(DatabaseQueue(path: paths.path, configuration: settings))
      } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CANTOPEN {
        // SQLite cannot make the log's index on such a medium. What nobody can write needs none.
        return try checked(DatabaseQueue(path: immutableAddress, configuration: settings))
      }
    }
  }

  private func checked(_ connection: DatabaseQueue) throws -> DatabaseQueue {
    try connection.inDatabase { try StoreSchema(path: paths.path).check($0) }
    return connection
  }

  /// The path as SQLite takes it with options.
  private var immutableAddress: String {
    let plain = Set("/-_.~".utf8)
    let path = paths.path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      guard !character.isASCII || !(character.isLetter || character.isNumber || plain.contains(byte)) else {
        return String(character)
      }
      let digits = String(byte, radix: 16)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }
    return "file:" + path.joined() + "?immutable=1"
  }
}

extension Configuration {
  /// The settings of every connection to a store.
  static func store(label: String) -> Configuration {
    var configuration = Configuration()
    configuration.label = "permtui.\(label)"
    // SQLite's own waits grow to a tenth of a second, in which a busy writer lets go and begins again many times, so that
    // whoever waits could be passed over for seconds.
    configuration.busyMode = .callback { tries in
      usleep(.random(in: 500...1_500))
      return tries < 5_000
    }
    // Half of SQLite's own: what is read again and again fits, and each connection keeps its pages for itself.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -1000") }
    configuration.foreignKeysEnabled = false
    configuration.observesSuspensionNotifications = false
    return configuration
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
