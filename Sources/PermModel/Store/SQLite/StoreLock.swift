import Machine

extension FileLock {
  /// The access to a store that a process has while it holds the lock.
  enum StoreUse {
    /// It has the store open, so that nobody moves it.
    case open
    /// It moves the store.
    case move
    /// Held while the file is opened and created. It waits for other processes, as SQLite itself does not wait when it
    /// switches a new file to its write-ahead log.
    case opening
  }

  /// - Throws: ``StoreError/inUse(path:)`` if others hold it in an incompatible way.
  convenience init(_ paths: StorePaths, _ use: StoreUse) throws(StoreError) {
    do throws(SystemError) {
      switch use {
      case .open: try self.init(paths.lock, .shared)
      case .move: try self.init(paths.lock, .alone)
      case .opening: try self.init(paths.marker, .aloneInTurn)
      }
    } catch {
      throw error.isHeldByOthers ? .inUse(path: paths.path) : StoreError(error)
    }
  }
}
