import Dispatch
import Glibc

/// A lock on a file, held for as long as this object exists. The kernel releases the lock when the process ends, even
/// if it crashes.
package final class FileLock: Sendable {
  package enum Kind: Sendable {
    case shared
    case alone
    /// An exclusive lock, like `alone`. Locking waits until others have released their locks.
    case aloneInTurn
    /// The same, but locking gives up once one process has held the lock for longer than this.
    case aloneWithin(Duration)

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH | LOCK_NB
      case .alone, .aloneWithin: LOCK_EX | LOCK_NB
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
    guard lock(kind, path: path) else { throw SystemError("flock", path) }
  }

  /// Locks the terminal to which a descriptor refers; `nil` if somebody else holds the lock. If the
  /// descriptor does not refer to a terminal, nothing is locked, because there is nobody to compete with.
  package init?(terminalOf stream: Int32, _ kind: Kind) {
    descriptor = ttyname(stream).map { open($0, O_RDONLY | O_NOCTTY | O_CLOEXEC) } ?? -1
    if !lock(kind), errno == EWOULDBLOCK { return nil }
  }

  private func lock(_ kind: Kind, path: String? = nil) -> Bool {
    while flock(descriptor, kind.operation) != 0 {
      if errno == EINTR { continue }
      guard case .aloneWithin(let patience) = kind, errno == EWOULDBLOCK, let path else { return false }
      return lockInTurn(path, patience)
    }
    return true
  }

  /// The time without a visible holder after which locking gives up, as a multiple of the time for a visible one. In a long
  /// line, the lock passes on so fast that there is often no holder to see. A holder in a container is never seen.
  private static let patienceWithoutHolder = 6

  /// Waits in the kernel's line, until one process has held the lock for longer than `patience`. That process might have been
  /// stopped. A long line is no reason to give up.
  private func lockInTurn(_ path: String, _ patience: Duration) -> Bool {
    let (isLocked, turn) = (Flag(), DispatchSemaphore(value: 0))
    let hasStarted = BlockingThread.start { [descriptor] in
      if flock(descriptor, LOCK_EX) == 0 { isLocked.set() }
      turn.signal()
    }
    guard hasStarted else { return false }
    var (holder, since) = (Self.holder(of: path), ContinuousClock.now)
    while turn.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      let current = Self.holder(of: path)
      if current != holder { (holder, since) = (current, .now) }
      let limit = holder == nil ? patience * Self.patienceWithoutHolder : patience
      guard ContinuousClock.now - since < limit else {
        errno = EWOULDBLOCK
        return false
      }
    }
    return isLocked.isSet
  }

  private final class Flag: Sendable {
    private let value = Lock(false)
    var isSet: Bool { value.withLock(\.self) }
    func set() { value.withLock { $0 = true } }
  }

  /// Returns the ID of a process that holds a lock on a file; `nil` if there is none, or if it is not known.
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
