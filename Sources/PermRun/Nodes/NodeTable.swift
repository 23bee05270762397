import CFuse
import CLinux
import CWalls
import Machine
import PermModel

/// The nodes that the kernel knows, by their numbers and by their files.
struct NodeTable {
  private var nodes: [UInt: Node] = [:]
  private var byFile: [FileKey: UInt] = [:]
  private var next: UInt = 2
  /// The nodes with open descriptors, in the order of a clock whose hand closes those that have grown cold.
  private var open: [UInt] = []
  private var hand = 0
  /// The disks of the nodes, in the order in which they were seen.
  private var devices: [UInt: UInt] = [:]
  /// The numbers of the folders that are never looked at.
  private var untouched: [AbsolutePath: UInt] = [:]
  private let mostOpen: Int
  /// The private copies of the run; `nil` if it has none.
  var copies: CopyLayers?

  /// - Parameter mostOpen: The largest number of descriptors that nodes hold at once.
  init(mostOpen: Int, copies: CopyLayers? = nil) throws(Failure) {
    (self.mostOpen, self.copies) = (mostOpen, copies)
    let root = try checked(walls_open_node(AT_FDCWD, "/"))
    let node = Node(
      id: 1, try Self.status(root), birth: Self.birth(root), descriptor: root, isForeign: Self.isForeign(root)
    )
    node.lookups = 1
    nodes[1] = node
    byFile[node.identity] = 1
    devices[node.identity.device] = 0
  }

  /// Returns the number of a file as it is shown inside, where all disks are one file system: files of two disks that have
  /// the same number there must not look like two names of one file.
  func number(of file: FileKey) -> UInt { file.inode ^ (devices[file.device] ?? 0) << 48 }

  static func status(_ descriptor: Int32) throws(Failure) -> stat {
    var status = stat()
    try checked(fstat(descriptor, &status))
    return status
  }

  static func status(of name: Name, in folder: Int32) throws(Failure) -> stat {
    try name.with { text throws(Failure) in
      var status = stat()
      try checked(fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW))
      return status
    }
  }

  /// The time at which a file was made. A descriptor that is held open keeps a file's number from being used again; for
  /// the others, this tells whether it was.
  private static func birth(_ descriptor: Int32) -> Int64 {
    var (inode, birth): (UInt64, Int64) = (0, 0)
    return identity_of_file(descriptor, "", &inode, &birth) == 0 ? birth : -1
  }

  func node(_ id: UInt) throws(Failure) -> Node {
    guard let node = nodes[id] else { throw .stale }
    return node
  }

}

// MARK: - Looking up

extension NodeTable {
  /// Looks a name up in a folder, and counts the look-up.
  mutating func find(_ name: Name, in parent: Node) throws(Failure) -> (node: Node, status: stat) {
    if let place = try copyPlace(of: name, in: parent) { return try find(name, in: parent, at: place) }
    let folder = try descriptor(of: parent)
    return try find(name, in: parent, folder, try Self.status(of: name, in: folder))
  }

  private mutating func find(
    _ name: Name, in parent: Node, at place: CopyPlace
  ) throws(Failure) -> (node: Node, status: stat) {
    var entry = try entry(name, at: place)
    if !entry.isCopy, entry.status.isFolder,
      let raised = try raiseFolder(name, at: place, mode: entry.status.st_mode)
    {
      entry = CopyEntry(status: raised, isCopy: true)
    }
    guard let folder = entry.isCopy ? place.upper : place.lower else { throw .stale }
    return try find(name, in: parent, folder, entry.status, isCopy: entry.isCopy)
  }

  private mutating func find(
    _ name: Name, in parent: Node, _ folder: Int32, _ status: stat, isCopy: Bool = false
  ) throws(Failure) -> (node: Node, status: stat) {
    if let known = known(status), known.descriptor >= 0, let place = known.place, place.parent == parent.id,
      place.name == name
    {
      known.lookups += 1
      return (known, status)
    }
    let found = try name.with { text throws(Failure) in try checked(walls_open_node(folder, text)) }
    return try enter(found, parent, name, isCopy: isCopy)
  }

  private func known(_ status: stat) -> Node? { known(FileKey(status)) }
  func known(_ file: FileKey) -> Node? { byFile[file].flatMap { nodes[$0] } }

  /// Enters a file by its descriptor, which the table takes over, and counts the look-up.
  mutating func enter(
    _ descriptor: Int32, _ parent: Node, _ name: Name, isCopy: Bool = false
  ) throws(Failure) -> (node: Node, status: stat) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let failure = Failure.last
      close(descriptor)
      throw failure
    }
    let birth = Self.birth(descriptor)
    let node =
      if let known = known(status), known.descriptor >= 0 || known.birth == birth {
        known
      } else {
        add(
          status, birth: birth, isForeign: parent.isForeign || Self.isForeign(descriptor), isCopy: isCopy)
      }
    // The name by which a file was reached last is the one that counts.
    hold(descriptor, for: node)
    if node.id != 1 { node.place = (parent.id, name) }
    node.lookups += 1
    return (node, status)
  }

  /// Enters a folder without looking at it, and counts the look-up. It is empty.
  mutating func enterUntouched(_ path: AbsolutePath, _ parent: Node, _ name: Name) -> (
    node: Node, status: stat
  ) {
    let number = untouched[path] ?? UInt(untouched.count + 1)
    untouched[path] = number
    let status = Self.untouchedStatus(number)
    let node = known(status) ?? add(status, birth: 0, isForeign: true)
    node.place = (parent.id, name)
    node.lookups += 1
    return (node, status)
  }

  private static func untouchedStatus(_ number: UInt) -> stat {
    var status = stat()
    (status.st_dev, status.st_ino) = (FileKey.untouched, number)
    // A folder that everybody may read.
    (status.st_mode, status.st_nlink) = (0o040555, 2)
    return status
  }

  /// The status of a node on the host.
  mutating func status(of node: Node) throws(Failure) -> stat {
    if node.isUntouched { return Self.untouchedStatus(node.identity.inode) }
    return try Self.status(try descriptor(of: node))
  }

  private mutating func add(_ status: stat, birth: Int64, isForeign: Bool, isCopy: Bool = false) -> Node {
    let node = Node(
      id: next, status, birth: birth, descriptor: -1, isForeign: isForeign, isCopy: isCopy)
    noteDevice(of: node)
    nodes[next] = node
    byFile[node.identity] = next
    next += 1
    return node
  }

  private mutating func noteDevice(of node: Node) {
    if devices[node.identity.device] == nil { devices[node.identity.device] = UInt(devices.count) }
  }

  /// Makes a node that of another file, its copy. The table takes the descriptor over.
  mutating func rebind(_ node: Node, to descriptor: Int32) throws(Failure) {
    let status = try Self.status(descriptor)
    if byFile[node.identity] == node.id { byFile[node.identity] = nil }
    (node.identity, node.birth, node.isCopy) = (FileKey(status), Self.birth(descriptor), true)
    byFile[node.identity] = node.id
    noteDevice(of: node)
    hold(descriptor, for: node)
  }

  /// Notes that a file has another name from now on, so that it can be found again.
  mutating func move(_ file: FileKey, to parent: UInt, _ name: Name) {
    if let id = byFile[file] { nodes[id]?.place = (parent, name) }
  }

  mutating func forget(_ id: UInt, _ count: UInt64) {
    guard id != 1, let node = nodes[id] else { return }
    node.lookups -= min(count, node.lookups)
    guard node.lookups == 0 else { return }
    nodes[id] = nil
    if byFile[node.identity] == id { byFile[node.identity] = nil }
  }

  /// Whether a file system is of a kind that PermTUI does not know. Another program may answer for it.
  static func isForeign(_ descriptor: Int32) -> Bool {
    var system = statfs()
    guard fstatfs(descriptor, &system) == 0 else { return true }
    return !OrdinaryFileSystems.contain(UInt32(truncatingIfNeeded: system.f_type))
  }
}

// MARK: - Descriptors

extension NodeTable {
  /// Returns a descriptor that refers to the node without opening it.
  ///
  /// - Throws: ``Failure/stale`` if the descriptor had been closed, and the name leads to another file by now.
  mutating func descriptor(of node: Node) throws(Failure) -> Int32 {
    node.isWarm = true
    if node.descriptor >= 0 { return node.descriptor }
    guard !node.isUntouched, let place = node.place, let parent = nodes[place.parent] else { throw .stale }
    let folder = try folder(of: place.name, in: parent, isCopy: node.isCopy)
    let again = try place.name.with { text throws(Failure) in walls_open_node(folder, text) }
    guard again >= 0 else { throw .stale }
    guard let status = try? Self.status(again), FileKey(status) == node.identity,
      Self.birth(again) == node.birth
    else {
      close(again)
      throw .stale
    }
    hold(again, for: node)
    return again
  }

  private mutating func hold(_ descriptor: Int32, for node: Node) {
    node.isWarm = true
    if node.descriptor >= 0 {
      close(node.descriptor)
      node.descriptor = descriptor
      return
    }
    node.descriptor = descriptor
    guard node.id != 1 else { return }
    if open.count >= mostOpen, let position = closeColdest() {
      open[position] = node.id
    } else {
      open.append(node.id)
    }
  }

  /// Closes the descriptor of a node that was not used lately, and returns its position. Returns `nil` if all are needed:
  /// a file that is open may have no name by which it could be found again.
  private mutating func closeColdest() -> Int? {
    for _ in 0..<2 * open.count {
      hand = (hand + 1) % open.count
      guard let node = nodes[open[hand]], node.descriptor >= 0 else { return hand }
      if node.isWarm || node.file != nil {
        node.isWarm = false
        continue
      }
      close(node.descriptor)
      node.descriptor = -1
      return hand
    }
    return nil
  }

  /// Returns the path that the kernel knows for a node now, after making sure that it leads to this node.
  mutating func path(of node: Node) throws(Failure) -> AbsolutePath { try location(of: node) }

  /// Returns the path of a node, after making sure that the names by which the kernel has reached it still lead to it.
  ///
  /// The kernel remembers names for a moment. If somebody outside has given one of them to another file since, what the
  /// program does must reach that file, and not the one that was put aside.
  ///
  /// - Throws: ``Failure/stale`` if a name leads elsewhere by now. The kernel then looks all of them up again.
  mutating func reachedPath(of node: Node) throws(Failure) -> AbsolutePath {
    let found = try location(of: node)
    if isNamed(found.bytes, node) { return found }
    // On a file system that ignores the case of letters, the names can differ and lead to the same file.
    if let names = hostNames(of: node), Self.status(at: names, of: node) == nil { throw .stale }
    return found
  }

  /// Returns the status of a node, after making sure of the same. Programs ask for many of them, so it is one call.
  mutating func reachedStatus(of node: Node) throws(Failure) -> stat {
    // An open descriptor keeps the file's number from being given to another.
    let descriptor = try descriptor(of: node)
    guard let names = hostNames(of: node) else { return try Self.status(descriptor) }
    guard let status = Self.status(at: names, of: node) else { throw .stale }
    return status
  }

  private mutating func location(of node: Node) throws(Failure) -> AbsolutePath {
    let descriptor = try descriptor(of: node)
    guard let bytes = Paths.targetBytes(ofLink: "/proc/self/fd/\(descriptor)"),
      let path = try? AbsolutePath(bytes), path.bytes == bytes, Self.status(at: bytes, of: node) != nil
    else { throw .stale }
    guard node.isCopy else { return path }
    guard let shown = copies?.shown(path) else { throw .stale }
    return shown
  }

  /// The names by which a node was reached last, as the host has them.
  private func hostNames(of node: Node) -> [UInt8]? {
    let names = names(of: node)
    return node.isCopy ? names.flatMap { copies?.own($0) } : names
  }

  /// Returns the status of the file to which a path leads; `nil` if that is not the node.
  private static func status(at path: [UInt8], of node: Node) -> stat? {
    var found = stat()
    let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { text in
      for (index, byte) in path.enumerated() { text[index] = CChar(bitPattern: byte) }
      text[path.count] = 0
      return text.baseAddress.map { lstat($0, &found) } ?? -1
    }
    return result == 0 && FileKey(found) == node.identity ? found : nil
  }

  /// Whether a path consists of the names by which a node and its folders were reached last.
  private func isNamed(_ path: [UInt8], _ node: Node) -> Bool {
    var (end, next) = (path.count, node)
    while let place = next.place {
      let start = end - place.name.bytes.count
      guard start > 0, path[start - 1] == 0x2f, path[start..<end].elementsEqual(place.name.bytes),
        let parent = nodes[place.parent]
      else { return false }
      (end, next) = (start - 1, parent)
    }
    return end == 0 || path.count == 1
  }

  /// The path that consists of the names by which a node and its folders were reached last; `nil` if the kernel has
  /// forgotten one of them.
  private func names(of node: Node) -> [UInt8]? {
    var (length, next) = (0, node)
    while let place = next.place {
      guard let parent = nodes[place.parent] else { return nil }
      length += 1 + place.name.bytes.count
      next = parent
    }
    guard length > 0 else { return [0x2f] }
    // From its end to its start, in one piece of memory.
    var (path, end) = ([UInt8](repeating: 0x2f, count: length), length)
    next = node
    while let place = next.place, let parent = nodes[place.parent] {
      path.replaceSubrange(end - place.name.bytes.count..<end, with: place.name.bytes)
      end -= 1 + place.name.bytes.count
      next = parent
    }
    return path
  }
}
