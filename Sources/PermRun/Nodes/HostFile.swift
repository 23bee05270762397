import CFuse
import CWalls

/// An open file of the host. All handles of one node share it, so that the node's locks have one owner on the host, and
/// so that a lease is not broken by the warden itself.
final class HostFile {
  /// The descriptor; -1 once the file was withdrawn.
  private(set) var descriptor: Int32
  private(set) var canRead: Bool
  private(set) var canWrite: Bool
  /// Whether nobody outside may have the file open at the same time.
  var isLeased = false
  /// The contents' time and size after the last change that was made from inside.
  private var seen = stat()

  init(_ descriptor: Int32, canRead: Bool, canWrite: Bool) {
    self.descriptor = descriptor
    self.canRead = canRead
    self.canWrite = canWrite
    noteChange()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens the file to which a node's descriptor refers.
  convenience init(node: Int32, writing: Bool) throws(Failure) {
    if !writing {
      self.init(try checked(walls_reopen(node, O_RDONLY)), canRead: true, canWrite: false)
      return
    }
    let both = walls_reopen(node, O_RDWR)
    // A file that may be written but not read.
    let descriptor = both < 0 && walls_error() == EACCES ? walls_reopen(node, O_WRONLY) : both
    self.init(try checked(descriptor), canRead: both >= 0, canWrite: true)
  }

  /// Puts another open file in the place of this one. The locks must have been taken on it already.
  func become(_ other: HostFile) {
    dup2(other.descriptor, descriptor)
    walls_close_on_exec(descriptor)
    (canRead, canWrite) = (other.canRead, other.canWrite)
  }

  /// Closes the file; every later use fails.
  func withdraw() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  func noteChange() { fstat(descriptor, &seen) }

  /// Whether the contents have changed since the last change from inside.
  var hasChangedOutside: Bool {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return true }
    return now.st_size != seen.st_size || now.st_mtim.tv_sec != seen.st_mtim.tv_sec
      || now.st_mtim.tv_nsec != seen.st_mtim.tv_nsec
  }
}
