import Glibc

/// Keeps a store from being moved while it is open: processes that have it open share the lock, and moving the file
/// takes an exclusive one. The kernel releases it when the process ends, however it ends.
final class StoreLock: Sendable {
  enum Kind {
    case shared, alone
    /// Held while the file is opened and created. It waits for other processes, as SQLite itself does not wait when it
    /// switches a new file to its write-ahead log.
    case opening
  }

  private let file: Int32

  /// - Throws: ``StoreError/inUse(path:)`` if others hold it in an incompatible way.
  init(_ paths: StorePaths, _ kind: Kind) throws(StoreError) {
    let path = kind == .opening ? paths.marker : paths.lock
    file = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreFile.failure(path, "open") }
    let operation =
      switch kind {
      case .shared: LOCK_SH | LOCK_NB
      case .alone: LOCK_EX | LOCK_NB
      case .opening: LOCK_EX
      }
    while flock(file, operation) != 0 {
      // The deinit closes the file, and runs here too; a second close could close another thread's file.
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: throw .inUse(path: paths.path)
      default: throw .system(path: path, call: "flock", errno: errno)
      }
    }
  }

  deinit {
    // Closing alone would leave the lock to a process that was just forked and has not executed its program yet.
    flock(file, LOCK_UN)
    close(file)
  }
}
