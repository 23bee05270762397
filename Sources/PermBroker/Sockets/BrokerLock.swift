import Glibc

/// The right to be the one broker of a store. Held through an open file; the kernel gives it back when the process
/// ends, however it ends.
final class BrokerLock: Sendable {
  let path: String
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Throws: ``BrokerSocketError/inUse(lock:)`` if another process, or another broker in this one, has it.
  init(path: String) throws(BrokerSocketError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(SystemError("open the lock \(path)")) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? .inUse(lock: path) : .system(SystemError("lock \(path)", code: code))
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    // Closing alone would leave the lock to a process that was started just now and has not executed its program yet.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
