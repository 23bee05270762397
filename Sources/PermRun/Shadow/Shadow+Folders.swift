import CFuse
import CWalls

// Reading the entries of folders.
extension Shadow {
  func openFolder(_ request: Request, _ id: UInt, _ info: fuse_file_info) {
    var use: FileUse?
    perform(
      request,
      { [self] () throws(Failure) in
        let node = try nodes.node(id)
        use = node.isForeign ? nil : try read(node)
        return [use].compactMap(\.self)
      },
      { [self] () throws(Failure) in
        let node = try nodes.node(id)
        try checkRoom()
        var info = info
        let content =
          node.isForeign
          ? Handle.Content.nothing : .folder(try nodes.list(of: node))
        info.fh = open(Handle(node, content, use))
        fuse_reply_open(request.raw, &info)
      })
  }

  /// Answers with as many entries as fit, from an offset on. With `isFull`, each comes with its status, which the kernel
  /// counts as a look-up.
  func list(_ request: Request, _ size: Int, _ offset: off_t, _ info: fuse_file_info, isFull: Bool) {
    perform(request) { () throws(Failure) in
      let handle = try handle(info.fh)
      guard handle.standing == .usable else { throw .denied }
      if handle.node.isForeign { return request.answer(UnsafeRawBufferPointer(start: nil, count: 0)) }
      guard case .folder(let list) = handle.content else { throw Failure(EBADF) }
      list.seek(to: offset)
      try withUnsafeTemporaryBytes(size) { bytes throws(Failure) in
        var used = 0
        while let next = list.next(),
          let count = add(next, of: handle.node, request, bytes, used, isFull, isMerged: list.isMerged)
        {
          used += count
        }
        request.answer(UnsafeRawBufferPointer(rebasing: bytes[..<used]))
      }
    }
  }

  /// Adds an entry to an answer. Returns the number of bytes that it takes, or `nil` if it does not fit.
  private func add(
    _ next: walls_entry, of parent: Node, _ request: Request,
    _ bytes: UnsafeMutableRawBufferPointer, _ used: Int, _ isFull: Bool, isMerged: Bool
  ) -> Int? {
    guard let text = next.name else { return 0 }
    let target = bytes.baseAddress?.advanced(by: used).assumingMemoryBound(to: CChar.self)
    let room = bytes.count - used
    let offset = next.next
    var entry = fuse_entry_param()
    entry.attr.st_ino = nodes.number(of: FileKey(device: parent.identity.device, inode: next.inode))
    entry.attr.st_mode = next.kind
    guard let name = try? Name(text) else {
      return fitting(size(isFull, request, target, room, text, &entry, offset), room)
    }
    if hidden.mayContain(name.bytes), (try? hidden.contain(path(name, in: parent))) ?? true { return 0 }
    guard isFull, !isMerged else {
      return fitting(size(isFull, request, target, room, text, &entry, offset), room)
    }
    // The entry may be gone by now; then its name alone is listed.
    if let found = try? self.entry(name, in: parent) { entry = found }
    let count = fitting(size(true, request, target, room, text, &entry, offset), room)
    if count == nil, entry.ino != 0 { nodes.forget(UInt(entry.ino), 1) }
    return count
  }

  private func fitting(_ count: Int, _ room: Int) -> Int? { count <= room ? count : nil }

  /// Writes an entry if it fits, and returns the number of bytes that it needs.
  private func size(
    _ isFull: Bool, _ request: Request, _ target: UnsafeMutablePointer<CChar>?, _ room: Int,
    _ name: UnsafePointer<CChar>, _ entry: inout fuse_entry_param, _ offset: off_t
  ) -> Int {
    isFull
      ? fuse_add_direntry_plus(request.raw, target, room, name, &entry, offset)
      : fuse_add_direntry(request.raw, target, room, name, &entry.attr, offset)
  }
}
