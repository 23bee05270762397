import CFuse
import CWalls
import PermModel

// Names of which the run has a private copy. Nobody is asked about writing there, because nothing outside changes; a denial
// and a panic count nevertheless. Reading what lies outside is asked about as everywhere.
extension Shadow {
  /// The use of a name for writing.
  func writing(_ name: Name, in parent: Node, making mode: mode_t?) throws(Failure) -> FileUse {
    if nodes.isCopied(name, in: parent) { return .write(try path(name, in: parent)).ofCopy(true) }
    guard let mode else { return .write(try counting(name, in: parent)) }
    return .write(try countingNew(name, in: parent, mode))
  }

  /// The uses of a change of a file. To be copied, it has to be read.
  func changes(of node: Node, isEmptied: Bool = false, asItself: Bool = false) throws(Failure) -> [FileUse] {
    let use: FileUse = asItself ? .write(try nodes.reachedPath(of: node)) : try write(node)
    let isRead = !isEmptied && !node.isCopy && node.isFile && nodes.isCopied(node)
    return [use.ofCopy(nodes.isCopied(node))] + (isRead ? [try read(node)].compactMap(\.self) : [])
  }

  /// Makes sure that what is changed of a file is changed in the private copy, if there is one.
  func raise(_ node: Node, isEmpty: Bool = false) throws(Failure) {
    guard !node.isCopy, nodes.isCopied(node), let place = node.place else { return }
    let file = node.file
    // It was opened by a name that belongs to no copy.
    guard file?.canWrite != true else { throw Failure(EBUSY) }
    let identity = node.identity
    try nodes.raise(place.name, in: try nodes.node(place.parent), isEmpty: isEmpty && file == nil)
    guard node.isCopy, node.identity != identity else { throw .stale }
    guard let file, file.descriptor >= 0 else { return }
    // Handles that are open see what is changed, as on the host.
    let copy = try HostFile(node: try nodes.descriptor(of: node), writing: true)
    try takeLocks(of: node, on: copy)
    file.become(copy)
    file.noteChange()
  }

  /// Whether both names of a change belong to private copies. To programs, a copy is a file system of its own.
  func areCopied(_ one: Bool, _ other: Bool) throws(Failure) -> Bool {
    guard one == other else { throw Failure(EXDEV) }
    return one
  }

  /// Whether nothing is shown in a folder of a private copy.
  func isEmpty(_ name: Name, in parent: Node, at place: CopyPlace) -> Bool {
    guard let entry = try? nodes.entry(name, at: place), entry.isCopy, let path = try? path(name, in: parent),
      let folder = try? name.with({ text throws(Failure) in try checked(walls_open_node(place.upper, text)) })
    else { return true }
    defer { close(folder) }
    return nodes.isEmpty(folder, FileKey(entry.status), at: path)
  }

  // MARK: Moving

  func usesOfCopy(_ from: Place, _ to: Place, isExchange: Bool) throws(Failure) -> [FileUse] {
    try usesOfCopy(from, isMoved: true) + usesOfCopy(to, isMoved: isExchange)
  }

  private func usesOfCopy(_ place: Place, isMoved: Bool) throws(Failure) -> [FileUse] {
    let parent = try nodes.node(place.parent)
    let path = try path(place.name, in: parent)
    let copies = try nodes.copyPlace(of: place.name, in: parent)
    let entry = copies.flatMap { try? nodes.entry(place.name, at: $0) }
    let use = FileUse.write(path, isWhole: entry?.status.isFolder == true).ofCopy(true)
    // A file outside is copied first, and has to be read for that.
    return isMoved && entry?.isCopy == false ? [use, .read(path)] : [use]
  }

  func moveCopy(_ from: Place, _ to: Place, _ flags: UInt32) throws(Failure) {
    let (parent, newParent) = (try nodes.node(from.parent), try nodes.node(to.parent))
    guard let old = try nodes.copyPlace(of: from.name, in: parent),
      let new = try nodes.copyPlace(of: to.name, in: newParent)
    else { throw .stale }
    let target = try? nodes.entry(to.name, at: new)
    guard flags & Self.noReplace == 0 || target == nil else { throw Failure(EEXIST) }
    try prepareMove(from.name, parent, old)
    if flags & Self.exchange != 0 { try prepareMove(to.name, newParent, new) }
    if flags == 0, let target { try checkReplaced(target, to.name, newParent, new) }
    let (source, replaced) = (
      try nodes.entry(from.name, at: old).status, try? nodes.entry(to.name, at: new).status
    )
    try nodes.move(from.name, at: old, to: to.name, at: new, flags)
    nodes.move(FileKey(source), to: to.parent, to.name)
    if flags & Self.exchange != 0, let replaced {
      nodes.move(FileKey(replaced), to: from.parent, from.name)
    }
  }

  /// A folder that covers one outside cannot be moved. Programs then copy it, as between file systems.
  private func prepareMove(_ name: Name, _ parent: Node, _ place: CopyPlace) throws(Failure) {
    let entry = try nodes.entry(name, at: place)
    guard !entry.status.isFolder else {
      guard entry.isCopy, nodes.copies?.isMerged(FileKey(entry.status)) == false else { throw Failure(EXDEV) }
      return
    }
    try nodes.raise(name, in: parent)
  }

  private func checkReplaced(
    _ target: CopyEntry, _ name: Name, _ parent: Node, _ place: CopyPlace
  ) throws(Failure) {
    guard target.status.isFolder else { return }
    guard target.isCopy else { throw .stale }
    let folder = try name.with { text throws(Failure) in try checked(walls_open_node(place.upper, text)) }
    defer { close(folder) }
    let path = try path(name, in: parent)
    guard nodes.isEmpty(folder, FileKey(target.status), at: path) else { throw Failure(ENOTEMPTY) }
  }
}
