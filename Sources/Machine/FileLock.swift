import Glibc

/// A lock on a file, held for as long as this object exists. The kernel releases the lock when the process ends, even
/// if it crashes.
package final class FileLock: Sendable {
  package enum Kind: Sendable {
    case shared
    case alone
    /// An exclusive lock, like `alone`. Locking waits until others have released their locks.
    case aloneInTurn
    /// The same, but locking waits no longer than this.
    case aloneWithin(Duration)

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH | LOCK_NB
      case .alone, .aloneWithin: LOCK_EX | LOCK_NB
      case .aloneInTurn: LOCK_EX
      }
    }

    fileprivate var patience: Duration {
      if case .aloneWithin(let patience) = self { patience } else { .zero }
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

  /// The time between two attempts to get a lock in turn.
  private static let pause: UInt32 = 1_000

  private func lock(_ kind: Kind) -> Bool {
    if flock(descriptor, kind.operation) == 0 { return true }
    let deadline = ContinuousClock.now + kind.patience
    // The kernel's own wait has no end, and the holder can be a process that was stopped.
    while errno == EINTR || (errno == EWOULDBLOCK && ContinuousClock.now < deadline) {
      if errno == EWOULDBLOCK { BlockingThread.sleep(microseconds: Self.pause) }
      if flock(descriptor, kind.operation) == 0 { return true }
    }
    return false
  }

  /// Returns the ID of a process that holds a lock on a file; `nil` if there is none, or if it cannot be told.
  package static func holder(of path: String) -> Int32? {
    guard let inode = FileStatus(path)?.inode else { return nil }
    // For example: `1: FLOCK  ADVISORY  WRITE 4711 08:01:131079 0 EOF`.
    for line in (Files.text(of: "/proc/locks", limit: 1 << 22) ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(inode)") else { continue }
      if let process = Int32(fields[4]), process > 0 { return process }
    }
    return nil
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Closing the file alone would not be enough: a child process that was forked, but has not executed its
    // program yet, would still hold the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
