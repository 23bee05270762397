import Machine

/// The checks that are made on a store's file and folder before SQLite opens the file.
struct StoreFile {
  let paths: StorePaths

  /// The identity of a file. If the file at the store's path has another identity, it is not the store that was opened.
  struct Identity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
  }

  /// Creates the folder if it is missing, checks the owners of the folder and of the file, and makes the file private.
  ///
  /// - Returns: The human-readable reason why the file cannot be written; `nil` if it can be written or created.
  func prepare() throws(StoreError) -> String? {
    try prepareFolder()
    guard try status(paths.path) != nil else {
      try systemErrors { () throws(SystemError) in try Files.check(paths.folder, .write) }
      return nil
    }
    if let reason = try checkFile() { return reason }
    // The folder must be writable, because SQLite creates the log beside the file.
    return Files.allows(paths.folder, .write) ? nil : "its folder does not let you write"
  }

  /// Creates the file if it is missing. Otherwise checks that it was not truncated. The caller holds the lock for opening, so
  /// that no other process takes the new file, which is still empty, for a truncated one.
  func createOrCheck() throws(StoreError) {
    if try status(paths.path) == nil { try create(paths.path) } else { try checkContent() }
  }

  /// Returns the identity of the file at the given path, by default the store's path; `nil` if there is no file.
  func identity(at path: String? = nil) throws(StoreError) -> Identity? {
    try status(path ?? paths.path).map { Identity(device: $0.device, inode: $0.inode) }
  }

  /// Returns the status of the file at a path, without following links; `nil` if there is no such file.
  func status(_ path: String) throws(StoreError) -> FileStatus? {
    try systemErrors { () throws(SystemError) in try FileStatus.find(path) }
  }

  /// Notifies watchers of the folder about a commit. The commit is valid even if the notification fails.
  func touchMarker() { Files.touch(paths.marker) }

  private func prepareFolder() throws(StoreError) {
    guard try checkFolder() == nil else { return }
    if Users.current == 0 { try Self.checkPlace(ofNew: paths.folder) }
    try systemErrors { () throws(SystemError) in try Folder.make(paths.folder) }
    _ = try checkFolder()
  }

  /// Checks that root does not make a new folder in one of another user, as under sudo: that user's programs could not use
  /// it, nor any folder that has to be made on the way.
  static func checkPlace(ofNew folder: String) throws(StoreError) {
    var place = folder[...]
    while !place.isEmpty {
      place = place[..<(place.lastIndex(of: "/") ?? place.startIndex)]
      let path = place.isEmpty ? "/" : String(place)
      guard let owner = FileStatus(path)?.owner else { continue }
      if owner != 0 { throw .wrongOwner(path: path, owner: owner) }
      return
    }
  }

  /// Checks the folder's owner and mode, and returns its status; `nil` if there is no folder.
  func checkFolder() throws(StoreError) -> FileStatus? {
    let folder = paths.folder
    guard let status = try status(folder) else { return nil }
    if status.kind == .link { throw .symbolicLink(path: folder) }
    if status.kind != .folder { throw .wrongKind(path: folder, expected: "a folder") }
    if !status.isOwn, status.owner != 0 { throw .wrongOwner(path: folder, owner: status.owner) }
    // In a sticky folder such as /tmp, other users cannot replace this user's files.
    if status.isWritableByOthers, !status.isSticky { throw .openFolder(path: folder, mode: status.mode) }
    return status
  }

  private func create(_ path: String) throws(StoreError) {
    do {
      try Files.make(path)
    } catch {
      if !error.isExistence { throw StoreError(error) }
    }
  }

  /// Checks the file's owner and kind, and returns its status; `nil` if there is no file.
  func checkKind() throws(StoreError) -> FileStatus? {
    let path = paths.path
    guard let status = try status(path) else { return nil }
    if status.kind == .link { throw .symbolicLink(path: path) }
    if status.kind != .file { throw .wrongKind(path: path, expected: "a file") }
    if !status.isOwn { throw .wrongOwner(path: path, owner: status.owner) }
    return status
  }

  private static let smallestDatabase = 512

  /// Checks that the file was not truncated. A file that is too small for a database must be empty, and must have
  /// neither a log nor a backup. If the file was emptied, SQLite would create a new database in it and delete the log.
  func checkContent() throws(StoreError) {
    guard let size = try status(paths.path)?.size, size < Self.smallestDatabase else { return }
    guard size == 0 else {
      throw StoreError.damaged(path: paths.path, detail: "it has \(size) bytes, and no database is so small")
    }
    let hasLog = try status(paths.log)?.size ?? 0 > 0
    guard hasLog || !StoreBackups(paths: paths).list().isEmpty else { return }
    throw StoreError.damaged(
      path: paths.path, detail: "it is empty, and \(hasLog ? "its log" : "its backup") is not")
  }

  private func checkFile() throws(StoreError) -> String? {
    let path = paths.path
    guard let status = try checkKind() else { throw StoreError.removed(path: path) }
    do {
      // This check must not open the file, because closing the file again would release the locks that SQLite holds on
      // it in this process.
      try Files.check(path, .write)
    } catch {
      if error.isReadOnlyMedium { return "it is on a file system that is mounted read-only" }
      if error.isForbidden { return "its mode does not let you write" }
      throw StoreError(error)
    }
    if status.isOpenToOthers {
      try systemErrors { () throws(SystemError) in try Files.setMode(path, 0o600) }
    }
    return nil
  }
}

extension StoreError {
  /// Creates the error for a failed system call.
  init(_ error: SystemError) {
    let path = error.path ?? ""
    if error.isFullDisk {
      self = .diskFull(path: path)
    } else if error.isReadOnlyMedium {
      self = .readOnly(path: path, reason: "it is on a file system that is mounted read-only")
    } else if error.isLink {
      self = .symbolicLink(path: path)
    } else {
      self = .system(path: path, call: error.attempt, errno: error.code)
    }
  }
}

/// Runs a closure, and converts the system errors that it throws to store errors.
func systemErrors<T>(_ body: () throws(SystemError) -> T) throws(StoreError) -> T {
  do {
    return try body()
  } catch {
    throw StoreError(error)
  }
}
