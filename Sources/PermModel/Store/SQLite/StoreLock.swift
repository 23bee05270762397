import Glibc

/// Keeps a store from being moved while it is open: everyone who has it open shares the lock, and whoever moves
/// it holds it alone. The kernel lets go of it when the process ends, however it ends.
final class StoreLock: Sendable {
  enum Kind {
    case shared, alone
    /// While the file is opened and made. Waits for others who do so, as SQLite itself does not wait when it
    /// turns a new file to its write-ahead log.
    case opening
  }

  private let file: Int32

  /// - Throws: ``StoreError/inUse(path:)`` if others hold it in a way that does not go together.
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
      // The file is closed by deinit, which runs here too; closed twice, it would be some other thread's.
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: throw .inUse(path: paths.path)
      default: throw .system(path: path, call: "flock", errno: errno)
      }
    }
  }

  deinit {
    // Closing alone would leave the lock to a process that was started just now and has not executed its program yet.
    flock(file, LOCK_UN)
    close(file)
  }
}
