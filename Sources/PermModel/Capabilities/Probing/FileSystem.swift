package import Machine

/// Read-only access to files and folders, using only system calls.
public struct FileSystem: Sendable {
  public init() {}

  /// Returns the status of the file or folder at a path, following symbolic links. Returns `nil` if the path leads to
  /// no file or folder, or to one that cannot be reached.
  package func entry(at path: String) -> FileStatus? { FileStatus(path) }

  public func isFolder(_ path: String) -> Bool { entry(at: path)?.kind == .folder }

  /// Whether the path is a folder whose contents this process is not allowed to list.
  package func isUnreadableFolder(_ path: String) -> Bool {
    isFolder(path) && !Files.allows(path, [.read, .enter])
  }

  /// Returns the sorted names in a folder, without `.` and `..`. There are none if the folder cannot be read.
  package func names(in folder: String) -> [String] { Folder.names(in: folder).sorted() }

  /// Returns the beginning of a file as a string. Bytes that are not valid UTF-8 are replaced.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  /// - Returns: `nil` if the file cannot be read.
  package func text(of path: String, limit: Int = 1 << 20) -> String? {
    bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the beginning of a file as bytes; `nil` if the file cannot be read.
  package func bytes(of path: String, limit: Int = 1 << 20) -> [UInt8]? {
    try? Files.bytes(of: path, limit: limit)
  }

  /// Visits the files below a folder level by level, from the top down. Hidden files and folders are skipped.
  /// Links to folders are not followed, so there can be no loops.
  ///
  /// - Parameters:
  ///   - depth: The maximum number of folder levels to descend.
  ///   - visit: Receives each file's path, and returns whether to continue.
  /// - Returns: `false` if the traversal ended early, because `visit` returned `false` or the task was cancelled.
  @discardableResult
  package func visitFiles(below folder: String, depth: Int = 16, _ visit: (String) -> Bool) -> Bool {
    var open: [(path: String, depth: Int)] = [(folder, depth)]
    var next = 0
    while next < open.count {
      if Task.isCancelled { return false }
      let (path, left) = open[next]
      next += 1
      let wentOn = try? Folder.visit(path) { name, isFolder in
        guard !name.hasPrefix(".") else { return true }
        guard isFolder else { return visit("\(path)/\(name)") }
        if left > 0 { open.append(("\(path)/\(name)", left - 1)) }
        return true
      }
      // A folder that cannot be read is treated as empty.
      guard wentOn ?? true else { return false }
    }
    return true
  }
}
