import CFuse
import CWalls
import PermModel

// Changes of folders: what is made, removed, moved and linked in them. What is decided about is a path; what is changed is
// one name in a folder whose descriptor the warden holds.
extension Shadow {
  /// Changes one name of a folder, once writing to it is allowed.
  ///
  /// - Parameter mode: The mode of the file that is made; `nil` if none is.
  func change(
    _ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>, making mode: mode_t? = nil,
    _ body: @escaping (Node, Name) throws(Failure) -> Void
  ) {
    perform(request) { () throws(Failure) in
      let name = try Name(name)
      perform(
        request,
        { [self] () throws(Failure) in
          let parent = try nodes.node(parent)
          return [try writing(name, in: parent, making: mode)]
        },
        { [self] () throws(Failure) in try body(try nodes.node(parent), name) })
    }
  }

  /// Makes an entry, and answers with it.
  private func make(
    _ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>,
    _ body: @escaping (Int32, UnsafePointer<CChar>) -> Int32
  ) {
    change(request, parent, name) { [self] parent, name throws(Failure) in
      let folder = try nodes.folder(forNew: name, in: parent)
      try name.with { text throws(Failure) in _ = try checked(body(folder, text)) }
      var entry = try entry(name, in: parent)
      request.answer(&entry)
    }
  }

  func makeFolder(_ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>, _ mode: mode_t) {
    make(request, parent, name) { mkdirat($0, $1, mode & 0o777) }
  }

  /// Makes an empty file, a FIFO or a socket. The kernel opens FIFOs itself, so they connect programs inside only. Sockets
  /// are bound by the warden only; devices are refused.
  func makeNode(_ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>, _ mode: mode_t) {
    let kind = mode & UInt32(S_IFMT)
    guard [UInt32(S_IFREG), UInt32(S_IFIFO)].contains(kind) || isBound(kind, request) else {
      return request.fail(Failure(EPERM))
    }
    make(request, parent, name) { mknodat($0, $1, kind | mode & 0o777, 0) }
  }

  private func isBound(_ kind: mode_t, _ request: Request) -> Bool {
    kind == UInt32(S_IFSOCK) && request.isOfWarden
  }

  func makeLink(
    _ request: Request, _ target: UnsafePointer<CChar>, _ parent: UInt, _ name: UnsafePointer<CChar>
  ) {
    let target = String(cString: target).utf8CString.map(\.self)
    make(request, parent, name) { symlinkat(target, $0, $1) }
  }

  func remove(_ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>, isFolder: Bool) {
    guard !isFolder || mayBeRemoved(parent, name) else { return request.fail(Failure(ENOTEMPTY)) }
    change(request, parent, name) { [self] parent, name throws(Failure) in
      if let place = try nodes.copyPlace(of: name, in: parent) {
        try nodes.remove(name, at: place, isFolder: isFolder)
        return request.succeed()
      }
      let folder = try nodes.descriptor(of: parent)
      try name.with { text throws(Failure) in
        _ = try checked(unlinkat(folder, text, isFolder ? AT_REMOVEDIR : 0))
      }
      companions.remove(try path(name, in: parent))
      request.succeed()
    }
  }

  /// Whether a folder is empty, or cannot be looked into. Git tries to remove every folder, and counts on the refusal, so
  /// nobody needs to be asked about that.
  private func mayBeRemoved(_ parent: UInt, _ name: UnsafePointer<CChar>) -> Bool {
    guard let name = try? Name(name), let node = try? nodes.node(parent) else { return true }
    if let place = try? nodes.copyPlace(of: name, in: node) { return isEmpty(name, in: node, at: place) }
    guard let folder = try? nodes.descriptor(of: node) else { return true }
    let found = try? name.with { text throws(Failure) in
      try checked(walls_open(folder, text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0))
    }
    return found.flatMap { try? FolderList(descriptor: $0) }?.isEmpty ?? true
  }

  /// Makes a further name for a file. Both names must be writable, or a link would be a way around a denial.
  func link(_ request: Request, _ id: UInt, _ parent: UInt, _ name: UnsafePointer<CChar>) {
    perform(request) { () throws(Failure) in
      let name = try Name(name)
      perform(
        request,
        { [self] () throws(Failure) in
          // A companion gets no further names.
          let (node, parent) = (try nodes.node(id), try nodes.node(parent))
          let isCopied = try areCopied(nodes.isCopied(node), nodes.isCopied(name, in: parent))
          return try changes(of: node, asItself: true) + [.write(try path(name, in: parent)).ofCopy(isCopied)]
        },
        { [self] () throws(Failure) in
          let (node, parent) = (try nodes.node(id), try nodes.node(parent))
          guard node.isFile || node.isLink else { throw Failure(EPERM) }
          try raise(node)
          let folder = try nodes.folder(forNew: name, in: parent)
          let descriptor = try nodes.descriptor(of: node)
          try name.with { text throws(Failure) in _ = try checked(walls_link(descriptor, folder, text)) }
          var entry = try entry(name, in: parent)
          request.answer(&entry)
        })
    }
  }
}

// MARK: - Moving

extension Shadow {
  /// One end of a move.
  struct Place {
    var parent: UInt
    var name: Name
  }

  func move(
    _ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>, _ newParent: UInt,
    _ newName: UnsafePointer<CChar>, _ flags: UInt32
  ) {
    perform(request) { () throws(Failure) in
      guard flags & ~(Self.noReplace | Self.exchange) == 0 else { throw Failure(EINVAL) }
      let from = Place(parent: parent, name: try Name(name))
      let to = Place(parent: newParent, name: try Name(newName))
      perform(
        request,
        { [self] () throws(Failure) in try uses(from, to, isExchange: flags & Self.exchange != 0) },
        { [self] () throws(Failure) in
          try move(from, to, flags)
          request.succeed()
        })
    }
  }

  static let noReplace: UInt32 = 1
  static let exchange: UInt32 = 2

  /// The uses of a move: writing to both names. A folder that is moved takes along everything in it.
  private func uses(_ from: Place, _ to: Place, isExchange: Bool) throws(Failure) -> [FileUse] {
    let source = try status(at: from)
    let target = try? status(at: to)
    if try areCopied(isCopied(from), isCopied(to)) { return try usesOfCopy(from, to, isExchange: isExchange) }
    let isWhole = source.isFolder || isExchange && target?.isFolder == true
    if !isExchange, let file = try companion(from, to, source) { return [.write(file)] }
    let (old, new) = (try path(of: from), try path(of: to))
    // A native folder would go along, to where it was not looked at, and so would a private copy.
    guard !fixed.contains(where: { old.isAbove($0) || new.isAbove($0) }) else { throw Failure(EBUSY) }
    let oldUse: FileUse = .write(old, isWhole: isWhole)
    guard RepositoryName(new) == .head, !isExchange else { return [oldUse, .write(new, isWhole: isWhole)] }
    try checkHead(from, source)
    return [oldUse, .writeGitData(new)]
  }

  private func isCopied(_ place: Place) throws(Failure) -> Bool {
    nodes.isCopied(place.name, in: try nodes.node(place.parent))
  }

  private func path(of place: Place) throws(Failure) -> AbsolutePath {
    try path(place.name, in: try nodes.node(place.parent))
  }

  private func status(at place: Place) throws(Failure) -> stat {
    try status(of: place.name, in: try nodes.node(place.parent))
  }

  func status(of name: Name, in parent: Node) throws(Failure) -> stat {
    try nodes.status(of: name, in: parent)
  }

  /// Returns the file that is saved by a move: a companion is moved onto it, or it is kept as a companion.
  private func companion(_ from: Place, _ to: Place, _ source: stat) throws(Failure) -> AbsolutePath? {
    guard source.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { return nil }
    let (old, new) = (try path(of: from), try path(of: to))
    if companions.file(of: old, FileKey(source)) == new { return new }
    let kept = try countingNew(to.name, in: try nodes.node(to.parent), source.st_mode)
    return kept == old && kept != new ? kept : nil
  }

  /// Makes sure that a file can become a `HEAD`: it names a reference or a commit, and has no second name by which it
  /// could be changed afterwards.
  private func checkHead(_ place: Place, _ status: stat) throws(Failure) {
    let folder = try nodes.descriptor(of: try nodes.node(place.parent))
    guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG), status.st_nlink == 1 else { throw .denied }
    let file = try place.name.with { text throws(Failure) in
      try checked(walls_open(folder, text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0))
    }
    defer { close(file) }
    try withUnsafeTemporaryBytes(2048) { bytes throws(Failure) in
      let count = try checked(pread(file, bytes.baseAddress, bytes.count, 0))
      guard RepositoryName.isHead(Array(bytes[..<count])) else { throw .denied }
    }
  }

  private func move(_ from: Place, _ to: Place, _ flags: UInt32) throws(Failure) {
    if try isCopied(from) { return try moveCopy(from, to, flags) }
    let (source, target) = (try status(at: from), try? status(at: to))
    let (file, new) = (try companion(from, to, source), try path(of: to))
    if RepositoryName(new) == .head { takeBackWriting(FileKey(source)) }
    let (oldFolder, newFolder) = (
      try nodes.descriptor(of: try nodes.node(from.parent)),
      try nodes.descriptor(of: try nodes.node(to.parent))
    )
    try from.name.with { old throws(Failure) in
      try to.name.with { new throws(Failure) in
        _ = try checked(walls_rename(oldFolder, old, newFolder, new, flags))
      }
    }
    nodes.move(FileKey(source), to: to.parent, to.name)
    companions.remove(try path(of: from))
    if let file, file != new { companions.add(new, of: file, FileKey(source)) }
    if flags & Self.exchange != 0, let target { nodes.move(FileKey(target), to: from.parent, from.name) }
  }

  /// Ends writing through the handles of a file: its contents were looked at, and must stay what they were.
  private func takeBackWriting(_ file: FileKey) {
    for handle in handles.values where handle.node.identity == file && handle.isWriting {
      handle.standing = .takenBack
    }
  }
}

extension stat {
  var isFolder: Bool { st_mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
}

// MARK: - Modes, sizes and times

extension Shadow {
  func setStatus(_ request: Request, _ id: UInt, _ wanted: stat, _ fields: Int32, _ info: fuse_file_info?) {
    perform(
      request,
      { [self] () throws(Failure) in
        let node = try nodes.node(id)
        guard !node.isForeign, !node.isLink else { throw Failure(EPERM) }
        if let info, (try? handle(info.fh).file(writing: true)) != nil { return [] }
        let isExecutable = fields & FUSE_SET_ATTR_MODE != 0 && wanted.st_mode & 0o111 != 0
        return try changes(of: node, asItself: isExecutable)
      },
      { [self] () throws(Failure) in
        let node = try nodes.node(id)
        try raise(node)
        try set(wanted, fields, of: node)
        var status = shown(try status(of: node), of: node)
        request.answer(&status, validFor: validity(of: node))
      })
  }

  private func set(_ wanted: stat, _ fields: Int32, of node: Node) throws(Failure) {
    let path = "/proc/self/fd/\(try nodes.descriptor(of: node))"
    if fields & FUSE_SET_ATTR_UID != 0, wanted.st_uid != user { throw Failure(EPERM) }
    if fields & FUSE_SET_ATTR_GID != 0, wanted.st_gid != group { throw Failure(EPERM) }
    if fields & FUSE_SET_ATTR_MODE != 0 { try checked(chmod(path, wanted.st_mode & 0o1777)) }
    if fields & FUSE_SET_ATTR_SIZE != 0 {
      try truncate(try file(of: node, writing: true), to: wanted.st_size)
    }
    if fields & Self.times != 0 { try setTimes(path, wanted, fields) }
    node.file?.noteChange()
  }

  private static let times =
    FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME | FUSE_SET_ATTR_ATIME_NOW | FUSE_SET_ATTR_MTIME_NOW

  private func setTimes(_ path: String, _ wanted: stat, _ fields: Int32) throws(Failure) {
    func time(_ given: timespec, _ isSet: Int32, _ isNow: Int32) -> timespec {
      if fields & isNow != 0 { return timespec(tv_sec: 0, tv_nsec: walls_now) }
      return fields & isSet != 0 ? given : timespec(tv_sec: 0, tv_nsec: walls_omit)
    }
    let times = [
      time(wanted.st_atim, FUSE_SET_ATTR_ATIME, FUSE_SET_ATTR_ATIME_NOW),
      time(wanted.st_mtim, FUSE_SET_ATTR_MTIME, FUSE_SET_ATTR_MTIME_NOW),
    ]
    try checked(utimensat(AT_FDCWD, path, times, 0))
  }
}
