import CFuse
import CWalls

/// An open file or folder of a program inside.
final class Handle {
  let node: Node
  let content: Content
  /// The use that was allowed when the handle was opened; `nil` if it needed no permission.
  let use: FileUse?
  let isWriting: Bool
  var standing = Standing.usable
  /// Whether the file was opened because a person allowed it this time, and no decision does.
  var isGranted = false

  enum Standing {
    case usable
    /// Not usable until a panic ends.
    case suspended
    /// The permission was taken back, or the file given to somebody outside.
    case takenBack
  }

  enum Content {
    case file(HostFile)
    case folder(FolderList)
    /// A folder that looks empty.
    case nothing
  }

  init(_ node: Node, _ content: Content, _ use: FileUse?, isWriting: Bool = false) {
    self.node = node
    self.content = content
    self.use = use
    self.isWriting = isWriting
  }

  /// The open file, unless it was suspended or taken back.
  func file(writing: Bool = false) throws(Failure) -> HostFile {
    guard standing == .usable else { throw .denied }
    guard case .file(let file) = content, file.descriptor >= 0, isWriting || !writing else {
      throw Failure(EBADF)
    }
    return file
  }

  /// The descriptor of the open file or folder, unless it was suspended or taken back.
  func descriptor() throws(Failure) -> Int32 {
    if standing == .usable, case .folder(let list) = content { return list.descriptor }
    return try file().descriptor
  }
}

/// The entries of an open folder of the host.
final class FolderList {
  private let stream: OpaquePointer

  convenience init(node: Int32) throws(Failure) {
    try self.init(descriptor: try checked(walls_reopen(node, O_RDONLY | O_DIRECTORY)))
  }

  /// - Parameter descriptor: An open folder, which is closed with the list.
  init(descriptor: Int32) throws(Failure) {
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw .last
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  var descriptor: Int32 { dirfd(stream) }

  func seek(to offset: off_t) {
    if offset == 0 { rewinddir(stream) } else { seekdir(stream, Int(offset)) }
  }

  /// Whether the folder has no entries but itself and the one above.
  var isEmpty: Bool {
    for _ in 0..<3 where next() == nil { return true }
    return false
  }

  /// The next entry, which is valid until the next call; `nil` behind the last.
  func next() -> walls_entry? {
    var entry = walls_entry()
    return walls_next_entry(UnsafeMutableRawPointer(stream), &entry) == 1 ? entry : nil
  }
}
