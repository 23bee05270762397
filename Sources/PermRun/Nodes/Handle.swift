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
  /// The entries of two folders that are shown as one; `nil` for those of the stream.
  private var merged: [Entry]?
  private var position = 0

  private struct Entry {
    var name: UnsafeMutablePointer<CChar>
    var inode: ino_t
    var kind: mode_t
  }

  var isMerged: Bool { merged != nil }

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

  deinit {
    closedir(stream)
    for entry in merged ?? [] { free(entry.name) }
  }

  /// Lists two folders as one.
  ///
  /// - Parameters:
  ///   - node: The folder that the list stands for.
  ///   - other: The folder whose entries are listed, too.
  ///   - removed: The names of the lower folder that are left out.
  ///   - isUpper: Whether the folder lies above the other one: of two entries with one name, the upper one is listed.
  convenience init(
    node: Int32, over other: Int32, without removed: Set<Name>, isUpper: Bool
  ) throws(Failure) {
    try self.init(node: node)
    let second = try FolderList(node: other)
    let (upper, lower) = isUpper ? (self, second) : (second, self)
    var (entries, names): ([Entry], Set<Name>) = ([], [])
    while let entry = upper.next() { Self.add(entry, to: &entries, &names) }
    names.formUnion(removed)
    while let entry = lower.next() { Self.add(entry, to: &entries, &names) }
    merged = entries
  }

  private static func add(_ entry: walls_entry, to entries: inout [Entry], _ names: inout Set<Name>) {
    guard let text = entry.name, let name = try? Name(text), names.insert(name).inserted,
      let copy = strdup(text)
    else { return }
    entries.append(Entry(name: copy, inode: entry.inode, kind: entry.kind))
  }

  var descriptor: Int32 { dirfd(stream) }

  func seek(to offset: off_t) {
    if merged != nil {
      position = Int(offset)
    } else if offset == 0 {
      rewinddir(stream)
    } else {
      seekdir(stream, Int(offset))
    }
  }

  /// Whether the folder has no entries but itself and the one above.
  var isEmpty: Bool {
    if let merged { return merged.isEmpty }
    for _ in 0..<3 where next() == nil { return true }
    return false
  }

  /// The next entry, which is valid until the next call; `nil` behind the last.
  func next() -> walls_entry? {
    if let merged {
      guard merged.indices.contains(position) else { return nil }
      defer { position += 1 }
      let entry = merged[position]
      return walls_entry(
        name: entry.name, inode: entry.inode, next: off_t(position + 1), kind: entry.kind)
    }
    var entry = walls_entry()
    return walls_next_entry(UnsafeMutableRawPointer(stream), &entry) == 1 ? entry : nil
  }
}
