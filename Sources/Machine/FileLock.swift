import Glibc

/// A lock on a file, held for as long as this object exists. The kernel releases the lock when the process ends, even
/// if it crashes.
package final class FileLock: Sendable {
  package enum Kind: Sendable {
    case shared
    case alone
    /// An exclusive lock, like `alone`. Locking waits until others have released their locks.
    case aloneInTurn

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH | LOCK_NB
      case .alone: LOCK_EX | LOCK_NB
      case .aloneInTurn: LOCK_EX
      }
    }
  }

  private let descriptor: Int32

  /// Locks a file, and creates it if it is missing.
  ///
  /// - Throws: A ``SystemError``. Its ``SystemError/isHeldByOthers`` is `true` if somebody else holds a lock
  ///   that excludes this one.
  package init(_ path: String, _ kind: Kind) throws(SystemError) {
    descriptor = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    // If locking fails, `deinit` closes the file, so `init` must not close it. Closing a descriptor twice could close a
    // file that another thread has opened in the meantime.
    guard lock(kind) else { throw SystemError("flock", path) }
  }

  /// Locks the terminal to which a descriptor refers; `nil` if somebody else holds the lock. If the
  /// descriptor does not refer to a terminal, nothing is locked, because there is nobody to compete with.
  package init?(terminalOf stream: Int32, _ kind: Kind) {
    descriptor = ttyname(stream).map { open($0, O_RDONLY | O_NOCTTY | O_CLOEXEC) } ?? -1
    if !lock(kind), errno == EWOULDBLOCK { return nil }
  }

  private func lock(_ kind: Kind) -> Bool {
    while flock(descriptor, kind.operation) != 0 { if errno != EINTR { return false } }
    return true
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Closing the file alone would not be enough: a child process that was forked, but has not executed its
    // program yet, would still hold the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
