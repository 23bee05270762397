import CLinux
import Glibc

/// Looks at files and folders, with system calls and nothing else. It changes nothing.
public struct FileSystem: Sendable {
  public init() {}

  /// What is at a path, symbolic links followed.
  public struct Entry: Hashable, Sendable {
    public enum Kind: Sendable { case file, folder, characterDevice, other }

    public var kind: Kind
    /// In bytes.
    public var size: Int64
    public var modified: Timestamp
    /// The user who owns it.
    public var owner: UInt32
    /// The permission bits, for example `0o644`.
    public var mode: UInt32
  }

  /// What is at a path; `nil` if nothing is, or if it cannot be reached.
  public func entry(at path: String) -> Entry? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let moment = Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1_000
    return Entry(
      kind: Entry.Kind(status.st_mode), size: Int64(status.st_size),
      modified: Timestamp(microseconds: moment), owner: status.st_uid, mode: status.st_mode & 0o7777)
  }

  public func isFolder(_ path: String) -> Bool { entry(at: path)?.kind == .folder }

  /// Whether the path is a folder that exists and cannot be listed.
  public func isUnreadableFolder(_ path: String) -> Bool {
    isFolder(path) && access(path, R_OK | X_OK) != 0
  }

  /// The names in a folder in order, without `.` and `..`; empty if it cannot be read.
  public func names(in folder: String) -> [String] {
    var names: [String] = []
    list(folder) { name, _ in
      names.append(name)
      return true
    }
    return names.sorted()
  }

  /// The beginning of a file, as text; bytes that are not UTF-8 are replaced.
  ///
  /// - Parameter limit: How many bytes to read at most.
  /// - Returns: `nil` if the file cannot be opened.
  public func text(of path: String, limit: Int = 1 << 20) -> String? {
    bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The beginning of a file; `nil` if it cannot be opened.
  public func bytes(of path: String, limit: Int = 1 << 20) -> [UInt8]? {
    // Without O_NONBLOCK a named pipe in the file's place would hold the caller up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < limit {
      let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Visits the files below a folder, hidden ones left out, deepest folders last. Links to folders are not
  /// followed, so that no loop is walked.
  ///
  /// - Parameters:
  ///   - depth: How many folders deep to go.
  ///   - visit: Gets each file's path; returns whether to go on.
  /// - Returns: Whether everything was visited. It also ends early when the task is cancelled.
  @discardableResult
  public func visitFiles(below folder: String, depth: Int = 16, _ visit: (String) -> Bool) -> Bool {
    var open: [(path: String, depth: Int)] = [(folder, depth)]
    var next = 0
    while next < open.count {
      if Task.isCancelled { return false }
      let (path, left) = open[next]
      next += 1
      let wentOn = list(path) { name, isFolder in
        guard !name.hasPrefix(".") else { return true }
        guard isFolder else { return visit("\(path)/\(name)") }
        if left > 0 { open.append(("\(path)/\(name)", left - 1)) }
        return true
      }
      guard wentOn else { return false }
    }
    return true
  }

  /// Lists a folder in the order of the disk. A link counts as a file.
  @discardableResult
  private func list(_ folder: String, _ visit: (_ name: String, _ isFolder: Bool) -> Bool) -> Bool {
    guard let stream = opendir(folder) else { return true }
    defer { closedir(stream) }
    while let item = readdir(stream) {
      let name = withUnsafeBytes(of: item.pointee.d_name) { buffer in
        String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      var isFolder = item.pointee.d_type == UInt8(DT_DIR)
      if item.pointee.d_type == UInt8(DT_UNKNOWN) {
        // Some file systems do not say; then the entry itself must be asked.
        isFolder = isPlainFolder("\(folder)/\(name)")
      }
      guard visit(name, isFolder) else { return false }
    }
    return true
  }

  private func isPlainFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && FileSystem.Entry.Kind(status.st_mode) == .folder
  }
}

extension FileSystem.Entry.Kind {
  init(_ mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFCHR: self = .characterDevice
    default: self = .other
    }
  }
}
