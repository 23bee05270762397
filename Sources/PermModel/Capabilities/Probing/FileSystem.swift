package import Machine

/// Read-only access to files and folders, with system calls and nothing else.
public struct FileSystem: Sendable {
  public init() {}

  /// Returns the file or folder at a path, with symbolic links followed; `nil` if there is none, or if it cannot be
  /// reached.
  package func entry(at path: String) -> FileStatus? { FileStatus(path) }

  public func isFolder(_ path: String) -> Bool { entry(at: path)?.kind == .folder }

  /// Whether there is a folder at the path that cannot be listed.
  package func isUnreadableFolder(_ path: String) -> Bool {
    isFolder(path) && !Files.allows(path, [.read, .enter])
  }

  /// Returns the names in a folder, in order, without `.` and `..`; empty if it cannot be read.
  package func names(in folder: String) -> [String] { Folder.names(in: folder).sorted() }

  /// Returns the beginning of a file as text, with bytes that are not UTF-8 replaced.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  /// - Returns: `nil` if the file cannot be read.
  package func text(of path: String, limit: Int = 1 << 20) -> String? {
    bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the beginning of a file; `nil` if it cannot be read.
  package func bytes(of path: String, limit: Int = 1 << 20) -> [UInt8]? {
    try? Files.bytes(of: path, limit: limit)
  }

  /// Visits the files below a folder, except hidden ones, deepest folders last. Links to folders are not followed, so
  /// that there are no loops.
  ///
  /// - Parameters:
  ///   - depth: The number of folder levels to descend.
  ///   - visit: Receives each file's path, and returns whether to continue.
  /// - Returns: Whether everything was visited. The visit also ends early when the task is cancelled.
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
      // An unreadable folder has nothing to visit.
      guard wentOn ?? true else { return false }
    }
    return true
  }
}
