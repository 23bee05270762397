import Machine

extension FileLock {
  /// The purpose for which a process locks a store.
  enum StoreUse {
    /// The process has the store open. No other process can move the store until it is closed.
    case open
    /// The process is moving the store.
    case move
    /// The process is opening or creating the file. Other processes wait for this lock, because SQLite itself does not
    /// wait when it switches a new file to a write-ahead log.
    case opening
  }

  /// The time for which a process waits while others open the store. Each of them needs a few milliseconds, unless it was
  /// stopped meanwhile.
  private static let patience = Duration.seconds(5)

  /// - Throws: ``StoreError/inUse(path:)`` if another process holds a lock that excludes this one, and
  ///   ``StoreError/beingOpened(path:process:)`` if another process has been opening the store for five seconds.
  convenience init(_ paths: StorePaths, _ use: StoreUse) throws(StoreError) {
    do throws(SystemError) {
      switch use {
      case .open: try self.init(paths.lock, .shared)
      case .move: try self.init(paths.lock, .alone)
      case .opening: try self.init(paths.marker, .aloneWithin(Self.patience))
      }
    } catch {
      guard error.isHeldByOthers else { throw StoreError(error) }
      guard use == .opening else { throw .inUse(path: paths.path) }
      throw .beingOpened(path: paths.path, process: FileLock.holder(of: paths.marker))
    }
  }
}
