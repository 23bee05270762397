import Glibc

/// Functions that read and write whole files.
package enum Files {
  /// Returns the bytes of a file.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes to read.
  ///   - waiting: Whether to wait for the other end of a named pipe. If `false`, the call does not block,
  ///     even if somebody has put a pipe in the file's place.
  package static func bytes(
    of path: String, limit: Int = .max, followingLinks: Bool = true, waiting: Bool = false
  ) throws(SystemError) -> [UInt8] {
    let flags = (followingLinks ? 0 : O_NOFOLLOW) | (waiting ? 0 : O_NONBLOCK)
    let file = open(path, O_RDONLY | O_CLOEXEC | flags)
    guard file >= 0 else { throw SystemError("open", path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 14))
    while bytes.count < limit {
      let count = read(file, &chunk, min(chunk.count, limit - bytes.count))
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { throw SystemError("read", path) }
      bytes += chunk.prefix(max(0, count))
    }
    return bytes
  }

  /// Returns the bytes of a file of `/proc`. The kernel makes the contents for each read, so one that does not fill the
  /// buffer has reached the end.
  package static func bytes(ofProcess path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("open", path) }
    defer { close(file) }
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let new = read(file, buffer.baseAddress.map { $0 + count }, limit - count)
        if new < 0, errno == EINTR { continue }
        if new < 0 { code = errno }
        count += max(0, new)
        if new <= 0 || count < limit { break }
      }
    }
    guard code == 0 else { throw SystemError("read", path, code: code) }
    return bytes
  }

  /// Returns the contents of a file as a string, with bytes that are not valid UTF-8 replaced. Returns `nil`
  /// if the file cannot be read.
  package static func text(of path: String, limit: Int = 1 << 20, followingLinks: Bool = true) -> String? {
    let bytes = try? bytes(of: path, limit: limit, followingLinks: followingLinks)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Creates a file that only its owner is allowed to read and write, and writes these bytes to it. Returns
  /// once the bytes are on disk.
  ///
  /// - Throws: ``SystemError`` if the path already exists, even if it is only a symbolic link, or if writing
  ///   fails. A partly written file is removed.
  package static func make(_ path: String, _ bytes: some Sequence<UInt8> = []) throws(SystemError) {
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError("open", path) }
    var problem: SystemError?
    let code = WholeWrite.write(Array(bytes), to: file)
    if code != 0 { problem = SystemError("write", path, code: code) }
    if problem == nil, fsync(file) != 0 { problem = SystemError("fsync", path) }
    if close(file) != 0, problem == nil { problem = SystemError("close", path) }
    guard let problem else { return }
    unlink(path)
    throw problem
  }

  /// Creates a private file with this content, unless the path already exists. Returns whether the file was created.
  ///
  /// The file is never seen half written, because it gets its name only once it is complete.
  package static func makeAtOnce(_ path: String, text: String) -> Bool {
    let draft = "\(path).\(getpid()).\(RandomID.make())"
    guard (try? make(draft, text.utf8)) != nil else { return false }
    defer { unlink(draft) }
    return link(draft, path) == 0
  }

  /// Replaces a file with a private file that has this content. The new file is written under another name in the same
  /// folder, and moved to its place once it is complete. Therefore, the file is never seen half written.
  package static func replace(_ path: String, text: String) throws(SystemError) {
    let draft = path + ".partial"
    unlink(draft)
    try make(draft, text.utf8)
    do throws(SystemError) {
      try move(draft, to: path)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Writes a file, overwriting an existing one. Everybody is allowed to read and execute a new file.
  package static func overwrite(_ path: String, text: String) throws(SystemError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
    guard file >= 0 else { throw SystemError("write", path) }
    defer { close(file) }
    let code = WholeWrite.write(Array(text.utf8), to: file)
    guard code == 0 else { throw SystemError("write", path, code: code) }
  }
}

// MARK: - Names

extension Files {
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package static func move(_ path: String, to target: String) throws(SystemError) {
    guard rename(path, target) == 0 else { throw SystemError("rename", target) }
  }

  /// Makes a symbolic link at a path.
  package static func makeLink(_ path: String, to target: String) throws(SystemError) {
    guard symlink(target, path) == 0 else { throw SystemError("symlink", path) }
  }

  /// Removes a file, if it exists.
  package static func remove(_ path: String) { unlink(path) }

  /// Sets the modification time of a private file to the current time, creating the file if it is missing.
  /// Failures are ignored.
  package static func touch(_ path: String) {
    if utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0 { return }
    let file = open(path, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    futimens(file, nil)
    close(file)
  }

  /// Waits until the data written to a file is on disk.
  package static func flush(_ path: String) throws(SystemError) {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("open", path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw SystemError("fsync", path) }
  }
}

// MARK: - Rights

extension Files {
  /// A process's rights to a file.
  package struct Rights: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let read = Rights(rawValue: R_OK)
    package static let write = Rights(rawValue: W_OK)
    /// The right to look up names in a folder.
    package static let enter = Rights(rawValue: X_OK)
  }

  /// Throws an error if this process does not have the given rights to a file. Does not open the file.
  package static func check(_ path: String, _ rights: Rights) throws(SystemError) {
    guard faccessat(AT_FDCWD, path, rights.rawValue, AT_EACCESS) == 0 else {
      throw SystemError("access", path)
    }
  }

  package static func allows(_ path: String, _ rights: Rights) -> Bool { (try? check(path, rights)) != nil }

  package static func setMode(_ path: String, _ mode: UInt32) throws(SystemError) {
    guard chmod(path, mode) == 0 else { throw SystemError("chmod", path) }
  }

  /// Whether the disk that contains a folder has no space left for ordinary users.
  package static func isDiskFull(at folder: String) -> Bool {
    var disk = statvfs()
    return statvfs(folder, &disk) == 0 && disk.f_bavail == 0
  }
}

/// Functions that write all of the given bytes, and give up only if the descriptor fails.
package enum WholeWrite {
  /// Makes this process go on if a reader goes away, so that a write returns an error instead.
  package static func surviveLostReaders() { signal(SIGPIPE, SIG_IGN) }

  /// Writes the bytes, and returns 0 or the error number of the write that failed.
  @discardableResult
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }

  /// Writes the bytes. Returns 0, or the error number of the write that failed. Signal handlers can call this function.
  @discardableResult
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count, let start = bytes.baseAddress {
      let count = Glibc.write(descriptor, start + written, bytes.count - written)
      if count == 0 { return EIO }
      guard count > 0 || errno == EINTR else { return errno }
      written += max(0, count)
    }
    return 0
  }
}
