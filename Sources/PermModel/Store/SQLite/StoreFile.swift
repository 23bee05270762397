import Glibc

/// The checks on a store's file and folder that come before SQLite sees them.
struct StoreFile {
  let paths: StorePaths

  /// The identity of a file; another one at the same path is not the store that was opened.
  struct Identity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
  }

  /// Creates folder and file if they are missing, checks their owner, and makes the file private.
  ///
  /// - Returns: The reason why the file cannot be written, in words; `nil` if it can.
  func prepare() throws(StoreError) -> String? {
    try prepareFolder()
    if try status(paths.path) == nil { try create(paths.path) }
    if let reason = try checkFile() { return reason }
    // SQLite makes its log beside the file.
    return access(paths.folder, W_OK) == 0 ? nil : "its folder does not let you write"
  }

  /// Returns the identity of the file at the store's path, or at another one; `nil` if there is none.
  func identity(at path: String? = nil) throws(StoreError) -> Identity? {
    try status(path ?? paths.path).map { Identity(device: UInt64($0.st_dev), inode: UInt64($0.st_ino)) }
  }

  /// Returns the result of `lstat`; `nil` if there is no such file.
  func status(_ path: String) throws(StoreError) -> stat? {
    var status = stat()
    if lstat(path, &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw StoreError.system(path: path, call: "lstat", errno: errno)
  }

  /// Notifies watchers of the folder about a commit. The commit is valid even if this fails.
  func touchMarker() {
    if utimensat(AT_FDCWD, paths.marker, nil, AT_SYMLINK_NOFOLLOW) == 0 { return }
    let file = open(paths.marker, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    futimens(file, nil)
    close(file)
  }

  private func prepareFolder() throws(StoreError) {
    guard try checkFolder() == nil else { return }
    try makeFolder(paths.folder)
    _ = try checkFolder()
  }

  /// Checks the folder's owner and mode. Returns `nil` if there is no folder.
  func checkFolder() throws(StoreError) -> stat? {
    let folder = paths.folder
    guard let status = try status(folder) else { return nil }
    let mode = status.st_mode
    if mode & S_IFMT == S_IFLNK { throw StoreError.symbolicLink(path: folder) }
    if mode & S_IFMT != S_IFDIR { throw StoreError.wrongKind(path: folder, expected: "a folder") }
    if status.st_uid != geteuid(), status.st_uid != 0 {
      throw StoreError.wrongOwner(path: folder, owner: status.st_uid)
    }
    // In a sticky folder such as /tmp other users cannot replace a file of ours.
    if mode & (S_IWGRP | S_IWOTH) != 0, mode & S_ISVTX == 0 {
      throw StoreError.openFolder(path: folder, mode: mode & 0o7777)
    }
    return status
  }

  private func makeFolder(_ path: String) throws(StoreError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let parent = StorePaths(path: path).folder
    guard errno == ENOENT, parent != path else { throw StoreFile.failure(path, "mkdir") }
    try makeFolder(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StoreFile.failure(path, "mkdir") }
  }

  private func create(_ path: String) throws(StoreError) {
    let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 || errno == EEXIST else { throw StoreFile.failure(path, "open") }
    if file >= 0 { close(file) }
  }

  /// Checks the file's owner and kind. Returns `nil` if there is no file.
  func checkKind() throws(StoreError) -> stat? {
    let path = paths.path
    guard let status = try status(path) else { return nil }
    if status.st_mode & S_IFMT == S_IFLNK { throw StoreError.symbolicLink(path: path) }
    if status.st_mode & S_IFMT != S_IFREG { throw StoreError.wrongKind(path: path, expected: "a file") }
    if status.st_uid != geteuid() { throw StoreError.wrongOwner(path: path, owner: status.st_uid) }
    return status
  }

  private static let smallestDatabase = 512

  /// Checks that an empty file never had any content. SQLite would start from scratch in it, and delete its log.
  func checkContent() throws(StoreError) {
    guard let size = try status(paths.path)?.st_size, size < Self.smallestDatabase else { return }
    guard size == 0 else {
      throw StoreError.damaged(path: paths.path, detail: "it has \(size) bytes, and no database is so small")
    }
    let hasLog = try status(paths.log)?.st_size ?? 0 > 0
    guard hasLog || !StoreBackups(paths: paths).list().isEmpty else { return }
    throw StoreError.damaged(
      path: paths.path, detail: "it is empty, and \(hasLog ? "its log" : "its backup") is not")
  }

  private func checkFile() throws(StoreError) -> String? {
    let path = paths.path
    guard let status = try checkKind() else { throw StoreError.removed(path: path) }
    // This does not open the file: closing it would release the locks that SQLite holds on it in this process.
    guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else {
      switch errno {
      case EROFS: return "it is on a file system that is mounted read-only"
      case EACCES, EPERM: return "its mode does not let you write"
      default: throw StoreFile.failure(path, "access")
      }
    }
    if status.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 { throw StoreFile.failure(path, "chmod") }
    return nil
  }

  /// Returns the error for the last failure of a system call.
  static func failure(_ path: String, _ call: String) -> StoreError {
    switch errno {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EROFS: .readOnly(path: path, reason: "it is on a file system that is mounted read-only")
    case ELOOP: .symbolicLink(path: path)
    default: .system(path: path, call: call, errno: errno)
    }
  }
}
