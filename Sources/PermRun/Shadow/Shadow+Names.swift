import CFuse
import CWalls
import Machine

// Looking up names, and reading what the kernel needs to know of a file. Nobody is asked about that: a program may know
// that a file exists, how large it is and when it was changed, unless its name is hidden.
extension Shadow {
  func lookUp(_ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>) {
    perform(request) { () throws(Failure) in
      let name = try Name(name)
      var entry = try entry(name, in: try nodes.node(parent))
      request.answer(&entry)
    }
  }

  /// Looks up a name, and counts the look-up: the kernel must be told of the result.
  func entry(_ name: Name, in parent: Node) throws(Failure) -> fuse_entry_param {
    guard !parent.isForeign else { throw .hidden }
    if hidden.mayContain(name.bytes), hidden.contain(try path(name, in: parent)) { throw .hidden }
    if answering.mayContain(name.bytes), let path = try? path(name, in: parent), answering.kinds[path] != nil
    {
      let found = nodes.enterUntouched(path, parent, name)
      return entry(found.node, found.status)
    }
    let found = try nodes.find(name, in: parent)
    if hidden.contain(device: UInt64(found.node.identity.device), inode: UInt64(found.node.identity.inode)) {
      nodes.forget(found.node.id, 1)
      throw .hidden
    }
    return entry(found.node, found.status)
  }

  func entry(_ node: Node, _ status: stat) -> fuse_entry_param {
    var entry = fuse_entry_param()
    entry.ino = fuse_ino_t(node.id)
    entry.generation = 1
    entry.attr = shown(status, of: node)
    entry.attr_timeout = validity(of: node)
    entry.entry_timeout = Self.nameValidity
    return entry
  }

  /// The seconds for which the kernel may remember which file a name leads to. When a file is opened or changed, the warden
  /// looks whether all of the path still leads to it.
  static let nameValidity = 1.0

  /// The seconds for which the kernel may remember a file's size and times. For files it is none: a program that believes
  /// an old size or an old time would overwrite what was written outside.
  func validity(of node: Node) -> Double { node.isFile ? 0 : 1 }

  /// The status as it is shown inside.
  func shown(_ status: stat, of node: Node) -> stat {
    var shown = status
    shown.st_ino = nodes.number(of: node.identity)
    shown.st_mode &= ~UInt32(S_ISUID | S_ISGID)
    shown.st_rdev = 0
    // Only one group exists inside. The kernel refuses to change a file of a group that it does not know.
    if status.st_uid == user { shown.st_gid = group }
    return shown
  }

  func getStatus(_ request: Request, _ id: UInt) {
    perform(request) { () throws(Failure) in
      let node = try nodes.node(id)
      // Whether a program asks by name or by descriptor cannot be told. A descriptor outlives the name.
      let isAsked = node.isFile && node.file == nil
      var status = shown(isAsked ? try nodes.reachedStatus(of: node) : try status(of: node), of: node)
      request.answer(&status, validFor: validity(of: node))
    }
  }

  func status(of node: Node) throws(Failure) -> stat {
    if let file = node.file, file.descriptor >= 0 { return try NodeTable.status(file.descriptor) }
    return try nodes.status(of: node)
  }

  func readLink(_ request: Request, _ id: UInt) {
    perform(request) { () throws(Failure) in
      let node = try nodes.node(id)
      _ = try nodes.reachedPath(of: node)
      let descriptor = try nodes.descriptor(of: node)
      try withUnsafeTemporaryBytes(Int(PATH_MAX) + 1) { bytes throws(Failure) in
        let text = bytes.bindMemory(to: CChar.self)
        guard let target = text.baseAddress else { throw .stale }
        let count = try checked(readlinkat(descriptor, "", target, text.count - 1))
        text[count] = 0
        fuse_reply_readlink(request.raw, target)
      }
    }
  }

  /// Answers whether the person may use a file at all. Whether the program may, is asked when it does.
  func checkAccess(_ request: Request, _ id: UInt, _ mask: Int32) {
    perform(request) { () throws(Failure) in
      let node = try nodes.node(id)
      if node.isUntouched { return request.succeed() }
      let descriptor = try nodes.descriptor(of: node)
      try checked(access("/proc/self/fd/\(descriptor)", mask))
      request.succeed()
    }
  }

  func statistics(_ request: Request, _ id: UInt) {
    perform(request) { () throws(Failure) in
      var found = statvfs()
      let node = try nodes.node(id)
      if !node.isUntouched { try checked(fstatvfs(try nodes.descriptor(of: node), &found)) }
      fuse_reply_statfs(request.raw, &found)
    }
  }
}

/// Lends memory for the time of a call.
func withUnsafeTemporaryBytes(
  _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
) throws(Failure) {
  let result = withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { bytes in
    Result { () throws(Failure) in try body(bytes) }
  }
  try result.get()
}
