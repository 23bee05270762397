import CFuse
import CWalls
import PermModel

// Opening, reading and writing files.
extension Shadow {
  func openFile(_ request: Request, _ id: UInt, _ info: fuse_file_info) {
    let isWriting = info.flags & O_ACCMODE != O_RDONLY || info.flags & O_TRUNC != 0
    var use: FileUse?
    perform(
      request,
      { [self] () throws(Failure) in
        let node = try nodes.node(id)
        guard node.isFile, !node.isForeign else { throw .denied }
        guard !isWriting, !sharesMemory(node) else {
          use = isWriting ? try write(node) : try read(node)
          return try changes(of: node, isEmptied: info.flags & O_TRUNC != 0)
        }
        use = try read(node)
        return [use].compactMap(\.self)
      },
      { [self] () throws(Failure) in
        let node = try nodes.node(id)
        if isWriting || sharesMemory(node) { try raise(node, isEmpty: info.flags & O_TRUNC != 0) }
        let file = try file(of: node, writing: isWriting)
        if info.flags & O_TRUNC != 0 { try truncate(file, to: 0) }
        answer(request, info, Handle(node, .file(file), use, isWriting: isWriting))
      })
  }

  func create(
    _ request: Request, _ parent: UInt, _ name: UnsafePointer<CChar>, _ mode: mode_t, _ info: fuse_file_info
  ) {
    change(request, parent, name, making: mode) { [self] parent, name throws(Failure) in
      try checkRoom()
      let (path, file) = (try path(name, in: parent), try countingNew(name, in: parent, mode))
      let descriptor = try folder(forCreating: name, in: parent, info.flags)
      // A companion is new in this run.
      let isNew = path == file ? info.flags & O_EXCL : O_EXCL
      let flags = O_CREAT | O_NOFOLLOW | O_NONBLOCK | isNew
      let created = try name.with { text throws(Failure) in
        try checked(walls_open(descriptor, text, O_RDWR | flags, mode & 0o777))
      }
      let isCopy = nodes.isCopied(name, in: parent)
      let open = HostFile(created, canRead: true, canWrite: true)
      guard try NodeTable.status(created).st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { throw .denied }
      let (node, status) = try nodes.enter(
        try checked(walls_open_node_of(created)), parent, name, isCopy: isCopy)
      if path != file { companions.add(path, of: file, node.identity) }
      do throws(Failure) {
        let shared = try adopt(open, for: node)
        if info.flags & O_TRUNC != 0 { try truncate(shared, to: 0) }
        let use = try write(node)
        answer(request, info, Handle(node, .file(shared), use, isWriting: true), entry: entry(node, status))
      } catch {
        nodes.forget(node.id, 1)
        throw error
      }
    }
  }

  private func folder(
    forCreating name: Name, in parent: Node, _ flags: Int32
  ) throws(Failure) -> Int32 {
    do throws(Failure) { return try nodes.folder(forNew: name, in: parent) } catch {
      // Unless the file has to be new, the kernel looks the name up again and opens the file that is there.
      throw error.code == EEXIST && flags & O_EXCL == 0 ? .stale : error
    }
  }

  /// Whether a file is one through which programs share memory, and so never the one outside if there is a private copy.
  private func sharesMemory(_ node: Node) -> Bool {
    guard !node.isCopy, nodes.isCopied(node), let name = node.place?.name else { return false }
    return SharedMemory.mayUse(name)
  }

  /// Answers that a file is open.
  private func answer(
    _ request: Request, _ info: fuse_file_info, _ handle: Handle, entry: fuse_entry_param? = nil
  ) {
    var info = info
    info.fh = open(handle)
    // Whole lines of several writers stay whole only if each write is a write of the host.
    info.direct_io = info.flags & O_APPEND != 0 ? 1 : 0
    info.keep_cache = 0
    kernel.dropStatus(of: handle.node.id)
    if var entry {
      fuse_reply_create(request.raw, &entry, &info)
    } else {
      fuse_reply_open(request.raw, &info)
    }
  }

  /// Returns the open file of a node, which all of its handles share.
  func file(of node: Node, writing: Bool) throws(Failure) -> HostFile {
    if let file = node.file, file.descriptor >= 0 {
      if !writing || file.canWrite { return file }
      try extend(file, of: node)
      return file
    }
    try checkRoom()
    let isShared = node.place.map { SharedMemory.mayUse($0.name) } ?? false
    let descriptor = try nodes.descriptor(of: node)
    let file = try HostFile(node: descriptor, writing: writing || isShared && mayWrite(descriptor))
    return try adopt(file, for: node)
  }

  private func mayWrite(_ descriptor: Int32) -> Bool { access("/proc/self/fd/\(descriptor)", W_OK) == 0 }

  /// Makes an open file the one of its node, after making sure that it is the same file, and a file at all.
  private func adopt(_ file: HostFile, for node: Node) throws(Failure) -> HostFile {
    guard FileKey(try NodeTable.status(file.descriptor)) == node.identity, node.isFile else { throw .stale }
    if let known = node.file, known.descriptor >= 0 {
      if !known.canWrite { try extend(known, of: node) }
      return known
    }
    if let name = node.place?.name, SharedMemory.mayUse(name) { try lease(file, of: name) }
    node.file = file
    return file
  }

  /// Opens a file for writing that was only open for reading, without losing its locks in between: they are locks for
  /// reading, which two open files can both have.
  private func extend(_ file: HostFile, of node: Node) throws(Failure) {
    let wider = try HostFile(node: try nodes.descriptor(of: node), writing: true)
    try takeLocks(of: node, on: wider)
    file.become(wider)
  }

  func read(_ request: Request, _ size: Int, _ offset: off_t, _ info: fuse_file_info) {
    perform(request) { () throws(Failure) in
      let file = try handle(info.fh).file()
      guard file.canRead else { throw Failure(EBADF) }
      try withUnsafeTemporaryBytes(size) { bytes throws(Failure) in
        let count = try checked(pread(file.descriptor, bytes.baseAddress, size, offset))
        request.answer(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      }
    }
  }

  func write(
    _ request: Request, _ bytes: UnsafePointer<CChar>?, _ size: Int, _ offset: off_t, _ info: fuse_file_info
  ) {
    perform(request) { () throws(Failure) in
      let handle = try handle(info.fh)
      let file = try handle.file(writing: true)
      if info.writepage != 0 { try checkMapped(file, handle.node) }
      let isAtEnd = info.flags & O_APPEND != 0 && info.writepage == 0
      let count = try checked(
        isAtEnd ? walls_append(file.descriptor, bytes, size) : pwrite(file.descriptor, bytes, size, offset))
      file.noteChange()
      request.answer(written: count)
    }
  }

  /// A page of a mapping holds more than what the program has changed. If the file was changed outside meanwhile, writing
  /// the page would undo that.
  private func checkMapped(_ file: HostFile, _ node: Node) throws(Failure) {
    guard !file.isLeased, file.hasChangedOutside else { return }
    notes.note("a mapped page was not written, because the file has changed outside: \(text(of: node))")
    throw Failure(EIO)
  }

  func truncate(_ file: HostFile, to size: off_t) throws(Failure) {
    try checked(ftruncate(file.descriptor, size))
    file.noteChange()
  }

  func allocate(_ request: Request, _ mode: Int32, _ offset: off_t, _ length: off_t, _ info: fuse_file_info) {
    perform(request) { () throws(Failure) in
      let file = try handle(info.fh).file(writing: true)
      try checked(walls_allocate(file.descriptor, mode, offset, length))
      file.noteChange()
      request.succeed()
    }
  }

  func seek(_ request: Request, _ offset: off_t, _ whence: Int32, _ info: fuse_file_info) {
    perform(request) { () throws(Failure) in
      let position = try checked(lseek(try handle(info.fh).file().descriptor, offset, whence))
      fuse_reply_lseek(request.raw, position)
    }
  }

  /// Makes sure that what was written to a file, or the names of a folder, are on the disk. Others are served meanwhile.
  func synchronize(_ request: Request, _ info: fuse_file_info, dataOnly: Bool) {
    perform(request) { () throws(Failure) in
      let copy = try checked(walls_duplicate(try handle(info.fh).descriptor()))
      kernel.later {
        let result = dataOnly ? fdatasync(copy) : fsync(copy)
        result == 0 ? request.succeed() : request.fail(.last)
        close(copy)
      }
    }
  }

  func release(_ request: Request, _ info: fuse_file_info) {
    if let handle = handles.removeValue(forKey: info.fh) { releaseLocks(of: handle, info) }
    request.succeed()
  }

  /// The path of a node in words.
  func text(of node: Node) -> String {
    (try? nodes.path(of: node)).map { FileUse.read($0).scope.text }
      ?? node.place.map { String(decoding: $0.name.bytes, as: UTF8.self) } ?? "a file"
  }
}
