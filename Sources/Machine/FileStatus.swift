import CLinux
import Glibc

/// The kernel's information about a file.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, folder, link, socket, characterDevice, other }

  package var kind: Kind
  /// The size in bytes.
  package var size: Int64
  /// The time of the last change to the contents, in microseconds since 1970.
  package var modified: Int64
  package var owner: UInt32
  package var group: UInt32
  /// The permission bits, for example `0o644`.
  package var mode: UInt32
  package var device: UInt64
  package var inode: UInt64
  /// The number of names that the file has.
  package var links: UInt64

  /// Reads the status of the file at a path. Returns `nil` if there is no such file, or if it cannot be reached.
  package init?(_ path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of the file at a path that starts in an open folder. Follows links.
  init?(_ path: String, in folder: Int32) {
    var status = stat()
    guard fstatat(folder, path, &status, 0) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of the file at a path that need not be valid UTF-8.
  package init?(_ path: [UInt8], followingLinks: Bool = true) {
    var status = stat()
    let text = path.map { CChar(bitPattern: $0) } + [0]
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    guard !path.contains(0), fstatat(AT_FDCWD, text, &status, flags) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of an open file.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns the status of the file at a path without following links; `nil` if there is none.
  package static func find(_ path: String) throws(SystemError) -> FileStatus? {
    var status = stat()
    if lstat(path, &status) == 0 { return FileStatus(status) }
    guard errno == ENOENT else { throw SystemError("lstat", path) }
    return nil
  }

  private init(_ status: stat) {
    kind = Kind(status.st_mode)
    size = Int64(status.st_size)
    modified = SystemClock.count(
      ofUnitsPerSecond: 1_000_000, Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode & 0o7777
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    links = UInt64(status.st_nlink)
  }
}

extension FileStatus {
  /// Whether the file belongs to the user who runs this process.
  package var isOwn: Bool { owner == geteuid() }
  /// Whether anyone but the owner has a right to the file: to read, write, execute or enter it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }
  /// Whether anyone but the owner is allowed to write to the file.
  package var isWritableByOthers: Bool { mode & 0o022 != 0 }
  /// Whether a process that executes the file gets the group of the file.
  package var isSetGroup: Bool { mode & 0o2000 != 0 }
  /// Whether this is a folder, such as `/tmp`, in which users can replace only their own files.
  package var isSticky: Bool { mode & 0o1000 != 0 }

  /// Whether this is a folder that belongs to the given user and in which nobody else can create or replace files.
  package func isPrivateFolder(of user: UInt32 = geteuid()) -> Bool {
    kind == .folder && owner == user && !isWritableByOthers
  }

  /// Whether both statuses describe the same file.
  package func isSame(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

extension FileStatus.Kind {
  init(_ mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    case S_IFSOCK: self = .socket
    case S_IFCHR: self = .characterDevice
    default: self = .other
    }
  }
}

/// The identity of a file: its inode number and the time of its creation. If another file takes its place,
/// the identity is different.
package struct FileBirth: Hashable, Sendable {
  package var inode: UInt64
  /// The time of creation, in nanoseconds since 1970; 0 if the file system does not record it.
  package var moment: Int64

  /// Reads the identity of the file at a path, following links; `nil` if the file cannot be examined.
  package init?(ofFileAt path: String) { self.init(AT_FDCWD, path) }

  /// Reads the identity of the file to which a descriptor refers.
  package init?(of descriptor: Int32) { self.init(descriptor, "") }

  /// Returns the identity of the regular file at a path, together with its path after all symbolic
  /// links have been resolved. Returns `nil` if there is no regular file.
  package static func find(_ path: String) -> (path: String, birth: FileBirth)? {
    let descriptor = open(path, open_path_only | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard FileStatus(of: descriptor)?.kind == .file, let birth = FileBirth(of: descriptor),
      let resolved = Paths.target(ofLink: "/proc/self/fd/\(descriptor)")
    else { return nil }
    return (resolved, birth)
  }

  private init?(_ folder: Int32, _ path: String) {
    (inode, moment) = (0, 0)
    guard identity_of_file(folder, path, &inode, &moment) == 0 else { return nil }
  }
}
