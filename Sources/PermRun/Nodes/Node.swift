import CFuse

/// A file or folder of the host that the kernel knows inside.
final class Node {
  let id: UInt
  var identity: FileKey
  /// The kind, as the bits of `S_IFMT`.
  let kind: UInt32
  /// The time at which the file was made, in nanoseconds; 0 if the file system does not record it.
  var birth: Int64
  /// Whether the file system is one that PermTUI does not know, so that the folder looks empty.
  let isForeign: Bool
  /// Whether the file lies in a folder of the run, as a private copy.
  var isCopy: Bool
  /// The number of times that the kernel was told of the node and has not yet forgotten it.
  var lookups: UInt64 = 0
  /// The folder and the name by which the node was reached last; none for the root.
  var place: (parent: UInt, name: Name)?
  /// A descriptor of the node itself, with O_PATH; -1 while it is not held open.
  var descriptor: Int32
  /// Whether the descriptor was used since it was last considered for closing.
  var isWarm = true
  /// The open file that the handles share.
  weak var file: HostFile?
  /// The open file on the host that holds the locks of the whole file, while there are any.
  var wholeLock: HostFile?
  /// The locks that programs inside hold.
  var locks = LockTable()

  init(
    id: UInt, _ status: stat, birth: Int64, descriptor: Int32, isForeign: Bool, isCopy: Bool = false
  ) {
    self.id = id
    identity = FileKey(status)
    kind = status.st_mode & UInt32(S_IFMT)
    self.birth = birth
    self.descriptor = descriptor
    (self.isForeign, self.isCopy) = (isForeign, isCopy)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the node stands for a file system that is never touched.
  var isUntouched: Bool { identity.device == FileKey.untouched }
  var isFolder: Bool { kind == UInt32(S_IFDIR) }
  var isFile: Bool { kind == UInt32(S_IFREG) }
  var isLink: Bool { kind == UInt32(S_IFLNK) }
}

/// The identity of a file on the host.
struct FileKey: Hashable {
  var device: UInt
  var inode: UInt

  /// The device of folders that are never looked at.
  static let untouched = UInt.max
}

extension FileKey {
  init(_ status: stat) { self.init(device: UInt(status.st_dev), inode: UInt(status.st_ino)) }
}
