import Glibc

/// Functions that list, create and remove folders.
package enum Folder {
  /// Returns the names of all entries except `.` and `..`, unsorted. Empty if the folder cannot be read.
  package static func names(in path: String) -> [String] {
    var names: [String] = []
    _ = try? visit(path) { name, _ in
      names.append(name)
      return true
    }
    return names
  }

  /// Makes a folder the working folder of this process. Returns `false` if that fails.
  package static func enter(_ path: String) -> Bool { chdir(path) == 0 }

  /// Visits all entries of a folder except `.` and `..`, in the order in which the file system lists them. A
  /// symbolic link is visited as a file, even if it leads to a folder.
  ///
  /// - Parameter body: Called for each entry; returns whether to continue.
  /// - Returns: Whether all entries were visited.
  @discardableResult
  package static func visit(
    _ path: String, _ body: (_ name: String, _ isFolder: Bool) -> Bool
  ) throws(SystemError) -> Bool {
    guard let folder = opendir(path) else { throw SystemError("open", path) }
    defer { closedir(folder) }
    return visit(folder) { name, type in
      // Some file systems do not report the type of an entry, so the entry itself is examined.
      let isUnknown = type == UInt8(DT_UNKNOWN)
      let kind = isUnknown ? FileStatus("\(path)/\(name)", followingLinks: false)?.kind : nil
      return body(name, isUnknown ? kind == .folder : type == UInt8(DT_DIR))
    }
  }

  /// Visits an open folder. The body receives each name, and the type that the file system reports.
  private static func visit(_ folder: OpaquePointer, _ body: (String, UInt8) -> Bool) -> Bool {
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      guard body(name, entry.pointee.d_type) else { return false }
    }
    return true
  }

  /// Creates a folder that only its owner can enter, together with any missing parents. Does nothing if the
  /// folder exists.
  package static func make(_ path: String) throws(SystemError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let parent = path.folderOfPath
    guard errno == ENOENT, parent != path else { throw SystemError("mkdir", path) }
    try make(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir", path) }
  }

  /// Creates a folder that only its owner can enter, if its parent exists. Failures are ignored.
  package static func makeOne(_ path: String) { mkdir(path, 0o700) }

  /// Creates an empty folder with a unique name in `/tmp`, and returns its path.
  package static func makeTemporary(named prefix: String) throws(SystemError) -> String {
    var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("make a folder under /tmp") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Flushes a folder, so that new files and new names of files in it survive a power failure.
  package static func flush(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes a file, or a folder with all its contents. A symbolic link is removed, and what it leads to is left alone,
  /// even if the link takes the place of a folder while the folder is being removed.
  package static func removeTree(_ path: String) { removeTree(path, in: AT_FDCWD) }

  private static func removeTree(_ name: String, in parent: Int32) {
    let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0, let folder = fdopendir(descriptor) {
      _ = visit(folder) { entry, _ in
        removeTree(entry, in: descriptor)
        return true
      }
      closedir(folder)
    }
    if unlinkat(parent, name, AT_REMOVEDIR) != 0 { unlinkat(parent, name, 0) }
  }
}
