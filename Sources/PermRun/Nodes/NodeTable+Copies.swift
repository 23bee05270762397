import CFuse
import CWalls
import Machine
import PermModel

/// The two folders in which an entry of a private copy can lie.
struct CopyPlace {
  /// The folder of the run.
  let upper: Int32
  let identity: FileKey
  /// The folder outside; `nil` if there is none.
  let lower: Int32?
}

/// An entry as it is found in one of the layers.
struct CopyEntry {
  var status: stat
  /// Whether it belongs to the run.
  var isCopy: Bool
}

// Private copies. Whatever is changed lies in a folder of the run, and nothing outside ever changes.
extension NodeTable {
  /// Whether an entry belongs to a private copy.
  func isCopied(_ name: Name, in parent: Node) -> Bool {
    guard let copies else { return false }
    return parent.isCopy || copies.twin(of: parent.identity)?.names.contains(name.bytes) ?? false
  }

  /// Whether a file belongs to a private copy, by the name by which it was reached last.
  func isCopied(_ node: Node) -> Bool {
    if node.isCopy { return true }
    guard copies != nil, let place = node.place, let parent = try? self.node(place.parent) else {
      return false
    }
    return isCopied(place.name, in: parent)
  }

  /// Whether a folder of the run covers one outside.
  func isMerged(_ node: Node) -> Bool { copies?.isMerged(node.identity) ?? false }

  /// Returns where an entry of a private copy can lie; `nil` if it belongs to none.
  mutating func copyPlace(of name: Name, in parent: Node) throws(Failure) -> CopyPlace? {
    guard let copies else { return nil }
    if parent.isCopy {
      return CopyPlace(
        upper: try descriptor(of: parent), identity: parent.identity, lower: try lower(of: parent))
    }
    guard let twin = copies.twin(of: parent.identity), twin.names.contains(name.bytes) else { return nil }
    return CopyPlace(
      upper: twin.descriptor, identity: twin.ownIdentity, lower: try descriptor(of: parent))
  }

  private mutating func lower(of folder: Node) throws(Failure) -> Int32? {
    guard isMerged(folder) else { return nil }
    if let known = copies?.openedLower(of: folder.identity) { return known }
    let path = try path(of: folder)
    return copies?.lower(of: folder.identity, at: path)
  }

  /// Finds an entry: in the run's folder, else outside, unless it was removed in this run.
  func entry(_ name: Name, at place: CopyPlace) throws(Failure) -> CopyEntry {
    do throws(Failure) {
      return CopyEntry(status: try Self.status(of: name, in: place.upper), isCopy: true)
    } catch { guard error.code == ENOENT else { throw error } }
    guard let lower = place.lower, copies?.isRemoved(name, in: place.identity) == false else { throw .hidden }
    return CopyEntry(status: try Self.status(of: name, in: lower), isCopy: false)
  }

  /// Returns the status of an entry, whatever layer it lies in.
  mutating func status(of name: Name, in parent: Node) throws(Failure) -> stat {
    if let place = try copyPlace(of: name, in: parent) { return try entry(name, at: place).status }
    return try Self.status(of: name, in: try descriptor(of: parent))
  }

  /// Returns the folder in which an entry can be made.
  ///
  /// - Throws: An error if there is such an entry outside, which is shown.
  mutating func folder(forNew name: Name, in parent: Node) throws(Failure) -> Int32 {
    guard let place = try copyPlace(of: name, in: parent) else { return try descriptor(of: parent) }
    guard (try? entry(name, at: place))?.isCopy ?? true else { throw Failure(EEXIST) }
    return place.upper
  }

  /// Returns the folder in which a known entry lies.
  mutating func folder(of name: Name, in parent: Node, isCopy: Bool) throws(Failure) -> Int32 {
    guard let place = try copyPlace(of: name, in: parent) else { return try descriptor(of: parent) }
    guard let folder = isCopy ? place.upper : place.lower else { throw .stale }
    return folder
  }

  // MARK: Making copies

  /// Makes a folder of the run that covers one outside. Returns its status; `nil` if another program or machine answers for
  /// the one outside.
  mutating func raiseFolder(_ name: Name, at place: CopyPlace, mode: mode_t) throws(Failure) -> stat? {
    guard let lower = place.lower else { throw .stale }
    let outside = try name.with { text throws(Failure) in try checked(walls_open_node(lower, text)) }
    defer { close(outside) }
    let covered = try Self.status(outside)
    guard covered.isFolder else { throw .stale }
    if Self.isForeign(outside) { return nil }
    try name.with { text throws(Failure) in
      _ = try checked(mkdirat(place.upper, text, 0o700))
      _ = try checked(fchmodat(place.upper, text, mode & 0o777 | 0o700, 0))
    }
    let made = try Self.status(of: name, in: place.upper)
    copies?.merge(FileKey(made), over: FileKey(covered))
    return made
  }

  /// Larger files are not copied: nothing else is served meanwhile.
  private static let mostCopied: off_t = 256 << 20

  /// Copies a file or a link to the run's folder, if it is not there yet.
  ///
  /// - Parameter isEmpty: Whether the contents are not needed.
  mutating func raise(_ name: Name, in parent: Node, isEmpty: Bool = false) throws(Failure) {
    guard let place = try copyPlace(of: name, in: parent), let lower = place.lower else { return }
    let found = try entry(name, at: place)
    guard !found.isCopy else { return }
    // The folder may have been moved outside since it was opened; then what was asked about lies elsewhere.
    guard Paths.targetBytes(ofLink: "/proc/self/fd/\(lower)") == (try path(of: parent)).bytes else {
      throw .stale
    }
    switch found.status.st_mode & UInt32(S_IFMT) {
    case UInt32(S_IFLNK): try copyLink(name, lower, place.upper)
    case UInt32(S_IFREG): try copyFile(name, found.status, lower, place.upper, isEmpty)
    default: throw Failure(EPERM)
    }
    try become(FileKey(found.status), name, parent, in: place.upper)
  }

  private func copyLink(_ name: Name, _ lower: Int32, _ upper: Int32) throws(Failure) {
    try withUnsafeTemporaryBytes(Int(PATH_MAX) + 1) { bytes throws(Failure) in
      let target = bytes.bindMemory(to: CChar.self)
      guard let start = target.baseAddress else { throw .stale }
      try name.with { text throws(Failure) in
        target[try checked(readlinkat(lower, text, start, target.count - 1))] = 0
        _ = try checked(symlinkat(start, upper, text))
      }
    }
  }

  private func copyFile(
    _ name: Name, _ status: stat, _ lower: Int32, _ upper: Int32, _ isEmpty: Bool
  ) throws(Failure) {
    guard isEmpty || status.st_size <= Self.mostCopied else { throw Failure(EFBIG) }
    try name.with { text throws(Failure) in
      let from = try checked(walls_open(lower, text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0))
      defer { close(from) }
      guard FileKey(try Self.status(from)) == FileKey(status) else { throw .stale }
      let to = try checked(walls_open(upper, text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
      defer { close(to) }
      do throws(Failure) {
        if !isEmpty { try checked(walls_copy(from, to, status.st_size)) }
        try checked(fchmod(to, status.st_mode & 0o777))
        try checked(futimens(to, [status.st_atim, status.st_mtim]))
      } catch {
        unlinkat(upper, text, 0)
        throw error
      }
    }
  }

  /// Makes the node of a file that was copied the node of the copy.
  private mutating func become(
    _ old: FileKey, _ name: Name, _ parent: Node, in upper: Int32
  ) throws(Failure) {
    guard let node = known(old), node.place?.parent == parent.id, node.place?.name == name else { return }
    let descriptor = try name.with { text throws(Failure) in try checked(walls_open_node(upper, text)) }
    try rebind(node, to: descriptor)
  }

  // MARK: Removing and moving

  /// Removes an entry of a private copy. What lies outside stays there, and is not shown any more.
  mutating func remove(_ name: Name, at place: CopyPlace, isFolder: Bool) throws(Failure) {
    let found = try entry(name, at: place)
    if found.isCopy {
      try name.with { text throws(Failure) in
        _ = try checked(unlinkat(place.upper, text, isFolder ? AT_REMOVEDIR : 0))
      }
      if isFolder { copies?.forget(FileKey(found.status)) }
    } else {
      // The kernel looks a folder up before it removes it, which makes a copy of it.
      guard !found.status.isFolder else { throw isFolder ? .stale : Failure(EISDIR) }
      guard !isFolder else { throw Failure(ENOTDIR) }
    }
    hide(name, at: place)
  }

  private mutating func hide(_ name: Name, at place: CopyPlace) {
    guard let lower = place.lower, (try? Self.status(of: name, in: lower)) != nil else { return }
    copies?.remove(name, in: place.identity)
  }

  /// Moves an entry of a private copy. Its file was copied before.
  mutating func move(
    _ old: Name, at from: CopyPlace, to new: Name, at place: CopyPlace, _ flags: UInt32
  ) throws(Failure) {
    let target = try? entry(new, at: place)
    try old.with { old throws(Failure) in
      try new.with { new throws(Failure) in
        _ = try checked(walls_rename(from.upper, old, place.upper, new, flags))
      }
    }
    if flags == 0, let target, target.isCopy, target.status.isFolder {
      copies?.forget(FileKey(target.status))
    }
    if flags & ~1 == 0 { hide(old, at: from) }
  }

  // MARK: Listing

  /// The entries of a folder, as they are shown.
  mutating func list(of node: Node) throws(Failure) -> FolderList {
    if let merged = try mergedList(of: node) { return merged }
    return try FolderList(node: try descriptor(of: node))
  }

  private mutating func mergedList(of node: Node) throws(Failure) -> FolderList? {
    guard let copies else { return nil }
    if node.isCopy {
      guard let lower = try lower(of: node) else { return nil }
      return try FolderList(
        node: try descriptor(of: node), over: lower, without: copies.removed(in: node.identity),
        isUpper: true)
    }
    guard let twin = copies.twin(of: node.identity) else { return nil }
    return try FolderList(
      node: try descriptor(of: node), over: twin.descriptor, without: copies.removed(in: twin.ownIdentity),
      isUpper: false)
  }

  /// Whether nothing is shown in a folder of the run.
  mutating func isEmpty(_ folder: Int32, _ identity: FileKey, at path: AbsolutePath) -> Bool {
    guard let copies, let lower = self.copies?.lower(of: identity, at: path),
      let list = try? FolderList(
        node: folder, over: lower, without: copies.removed(in: identity), isUpper: true)
    else { return (try? FolderList(node: folder))?.isEmpty ?? true }
    return list.isEmpty
  }
}
