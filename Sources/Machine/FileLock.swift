import Glibc

/// A lock on a file, held as long as this object lives. The kernel releases it when the process ends, in whatever way.
package final class FileLock: Sendable {
  package enum Kind: Sendable {
    case shared
    case alone
    /// Exclusive, after waiting for others to release it.
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
  /// - Throws: A ``SystemError`` that `isHeldByOthers`, if another lock excludes this one.
  package init(_ path: String, _ kind: Kind) throws(SystemError) {
    descriptor = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    // `deinit` closes the file, here too. Closing it twice could close a descriptor of another thread.
    guard lock(kind) else { throw SystemError("flock", path) }
  }

  /// Locks the terminal behind a descriptor; `nil` if others hold the lock. Without a terminal, there is nobody to
  /// compete with.
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
    // Closing alone would leave the lock to a child process that has been forked but has not executed its program yet.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
