import GRDB
package import Machine
import Operations

/// A store in one SQLite file, which several processes can share.
///
/// One connection is kept open for reading, and the first change opens another one for writing. A look-up therefore
/// never waits for a change. When a call that changes decisions returns, the change is on disk.
///
/// If the file cannot be written, for example because the disk is full, the store can still be read.
public final class SQLiteStore: PermissionStore {
  package let environment: StoreEnvironment
  let paths: StorePaths
  package let readOnlyReason: String?
  package let signals: StoreSignals

  private let reader: DatabaseQueue
  private let glances = GlanceStatements()
  private let decodedRequests = DecodedRequests()
  private let writer = Lock<DatabaseQueue?>(nil)
  /// A lock that is held while the store is open. It keeps other processes from moving the file.
  private let lock: FileLock?
  private let identity: StoreFile.Identity?
  /// The identity of the log file. Programs that follow SQLite's rules never replace the log while the store is open.
  private let logIdentity: StoreFile.Identity?
  private let isDamaged = Lock(false)

  /// Opens the store in the given file, and creates the file if it is missing.
  ///
  /// - Throws: An error that describes the problem with the file or its folder, and the remedy. For example, the store of
  ///   another user is never opened.
  public convenience init(
    at path: String, environment: StoreEnvironment = .linux(sessionFolder: nil)
  ) throws(StoreError) {
    try self.init(path: path, environment: environment)
  }

  /// - Parameter inotify: The instance by which changes of other processes are noticed.
  package init(
    path: String, environment: StoreEnvironment, inotify: InotifyInstance = .shared
  ) throws(StoreError) {
    let paths = StorePaths(path: path)
    var environment = environment
    environment.protect(storeAt: paths.path)
    self.environment = environment
    let file = StoreFile(paths: paths)
    let opening = try StoreOpening.open(file, at: environment.now().wall)
    let reader = opening.reader
    let identity = try file.identity()
    self.paths = paths
    readOnlyReason = opening.readOnlyReason
    lock = opening.lock
    self.reader = reader
    self.identity = identity
    logIdentity = try file.identity(at: paths.log)
    signals = StoreSignals(
      watcher: FolderWatcher(paths: paths, at: inotify) { () throws(StoreError) in
        guard try file.identity() == identity else { throw .removed(path: paths.path) }
        return try reader.commitCount(path: paths.path)
      })
  }

  deinit {
    // The last connection to be closed copies the log into the file, unless that connection is read-only. The reader is
    // read-only, so it is closed last if the store is damaged. The file and the log then stay as they are.
    if isDamaged.withLock({ $0 }) { try? writer.withLock { $0 }?.close() }
    // The watcher of the folder might be reading on this connection, so its queue releases the statements.
    reader.unsafeRead { _ in glances.clear() }
    try? reader.close()
  }

  package var knownLinks: KnownLinks { KnownLinks(inFolder: paths.path.folderOfPath) }

  package func version() throws(StoreError) -> Int {
    try checkPresence()
    return try noticingDamage { try reader.commitCount(path: paths.path) }
  }

  package func read<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T {
    try checkPresence()
    return try noticingDamage {
      try reader.unsafeRead { db in
        try db.inTransaction(.deferred, returning: { try body(rows(db)) })
      }
    }
  }

  package func glance<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T {
    try checkPresence()
    return try noticingDamage {
      try reader.unsafeRead { try body(rows($0)) }
    }
  }

  /// Returns the rows that the connection for reading sees.
  private func rows(_ db: Database) -> StoreRows {
    StoreRows(db: db, definition: environment.definition, glances: glances, decodedRequests: decodedRequests)
  }

  package func write<T: Sendable>(
    surviving durability: Durability, _ body: (StoreRows) throws -> T
  ) throws(StoreError) -> T {
    if let readOnlyReason { throw .readOnly(path: paths.path, reason: readOnlyReason) }
    try checkPresence()
    let writer = try openWriter()
    try checkLog()
    let value = try noticingDamage {
      try writer.writeWithoutTransaction { db in
        try StoreConnection.set(durability, in: db)
        return try db.inTransaction(
          .immediate, returning: { try body(StoreRows(db: db, definition: environment.definition)) })
      }
    }
    // A change that was written to a deleted file is lost, and must not be reported as saved.
    try checkPresence()
    try checkLog()
    StoreFile(paths: paths).touchMarker()
    signals.sendOwnChange()
    return value
  }

  private func noticingDamage<T>(_ body: () throws -> T) throws(StoreError) -> T {
    do throws(StoreError) {
      return try storeErrors(at: paths.path, body)
    } catch {
      if case .damaged = error { isDamaged.withLock { $0 = true } }
      throw error
    }
  }

  private func openWriter() throws(StoreError) -> DatabaseQueue {
    let connection = StoreConnection(paths: paths)
    return try writer.withLock { writer in
      Result { () throws(StoreError) in
        if let writer { return writer }
        let opened = try connection.writing()
        writer = opened
        return opened
      }
    }.get()
  }

  private func checkPresence() throws(StoreError) {
    guard try StoreFile(paths: paths).identity() == identity else {
      throw .removed(path: paths.path)
    }
  }

  /// Checks that the log file is still the one that was opened. Changes that are written to a deleted log
  /// would be invisible to processes that open the store later.
  private func checkLog() throws(StoreError) {
    guard let logIdentity else { return }
    guard try StoreFile(paths: paths).identity(at: paths.log) == logIdentity else {
      throw .removed(path: paths.log)
    }
  }
}
