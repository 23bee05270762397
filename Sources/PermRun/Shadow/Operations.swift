import CFuse

/// Turns the kernel's operations, as libfuse passes them on, into calls of the shadow.
enum Operations {
  /// The functions for libfuse. What is missing is answered with ENOSYS, and the kernel does without: extended attributes,
  /// `ioctl`, `poll`, `bmap`, `copy_file_range`.
  static var table: fuse_lowlevel_ops {
    var table = fuse_lowlevel_ops()
    table.`init` = { _, connection in
      if let connection { Operations.choose(&connection.pointee) }
    }
    addNames(to: &table)
    addFolders(to: &table)
    addFiles(to: &table)
    addChanges(to: &table)
    addLocks(to: &table)
    return table
  }

  /// Chooses what the kernel may do by itself. Writes are not held back, so that what a program has written is in the
  /// host's file when the call returns.
  private static func choose(_ connection: inout fuse_conn_info) {
    let wanted =
      FUSE_CAP_POSIX_LOCKS | FUSE_CAP_FLOCK_LOCKS | FUSE_CAP_ATOMIC_O_TRUNC | FUSE_CAP_AUTO_INVAL_DATA
      | FUSE_CAP_READDIRPLUS | FUSE_CAP_READDIRPLUS_AUTO | FUSE_CAP_PARALLEL_DIROPS | FUSE_CAP_ASYNC_READ
    connection.want = connection.capable & UInt32(wanted)
    connection.max_write = 1 << 20
  }

  private static func addNames(to table: inout fuse_lowlevel_ops) {
    table.lookup = { request, parent, name in
      with(request) { request, shadow in if let name { shadow.lookUp(request, UInt(parent), name) } }
    }
    table.forget = { request, node, count in
      with(request) { _, shadow in shadow.nodes.forget(UInt(node), count) }
      fuse_reply_none(request)
    }
    table.forget_multi = { request, count, forgotten in
      with(request) { _, shadow in
        for one in UnsafeBufferPointer(start: forgotten, count: count) {
          shadow.nodes.forget(UInt(one.ino), one.nlookup)
        }
      }
      fuse_reply_none(request)
    }
    table.getattr = { request, node, _ in
      with(request) { request, shadow in shadow.getStatus(request, UInt(node)) }
    }
    table.readlink = { request, node in
      with(request) { request, shadow in shadow.readLink(request, UInt(node)) }
    }
    table.access = { request, node, mask in
      with(request) { request, shadow in shadow.checkAccess(request, UInt(node), mask) }
    }
    table.statfs = { request, node in
      with(request) { request, shadow in shadow.statistics(request, UInt(node)) }
    }
  }

  private static func addFolders(to table: inout fuse_lowlevel_ops) {
    table.opendir = { request, node, info in
      with(request, info) { request, shadow, info in shadow.openFolder(request, UInt(node), info) }
    }
    table.readdir = { request, _, size, offset, info in
      with(request, info) { $1.list($0, size, offset, $2, isFull: false) }
    }
    table.readdirplus = { request, _, size, offset, info in
      with(request, info) { $1.list($0, size, offset, $2, isFull: true) }
    }
    table.releasedir = { request, _, info in
      with(request, info) { request, shadow, info in
        shadow.handles[info.fh] = nil
        request.succeed()
      }
    }
    table.fsyncdir = { request, _, dataOnly, info in
      with(request, info) { $1.synchronize($0, $2, dataOnly: dataOnly != 0) }
    }
  }

  private static func addFiles(to table: inout fuse_lowlevel_ops) {
    table.open = { request, node, info in
      with(request, info) { $1.openFile($0, UInt(node), $2) }
    }
    table.create = { request, parent, name, mode, info in
      with(request, info) { request, shadow, info in
        if let name { shadow.create(request, UInt(parent), name, mode, info) }
      }
    }
    table.read = { request, _, size, offset, info in
      with(request, info) { $1.read($0, size, offset, $2) }
    }
    table.write = { request, _, bytes, size, offset, info in
      with(request, info) { $1.write($0, bytes, size, offset, $2) }
    }
    table.fallocate = { request, _, mode, offset, length, info in
      with(request, info) { $1.allocate($0, mode, offset, length, $2) }
    }
    table.lseek = { request, _, offset, whence, info in
      with(request, info) { $1.seek($0, offset, whence, $2) }
    }
    table.fsync = { request, _, dataOnly, info in
      with(request, info) { $1.synchronize($0, $2, dataOnly: dataOnly != 0) }
    }
    table.flush = { request, _, info in with(request, info) { $1.flush($0, $2) } }
    table.release = { request, _, info in with(request, info) { $1.release($0, $2) } }
  }

  private static func addChanges(to table: inout fuse_lowlevel_ops) {
    table.mkdir = { request, parent, name, mode in
      with(request) { request, shadow in if let name { shadow.makeFolder(request, UInt(parent), name, mode) }
      }
    }
    table.mknod = { request, parent, name, mode, _ in
      with(request) { request, shadow in if let name { shadow.makeNode(request, UInt(parent), name, mode) } }
    }
    table.symlink = { request, target, parent, name in
      with(request) { request, shadow in
        if let target, let name { shadow.makeLink(request, target, UInt(parent), name) }
      }
    }
    table.unlink = { request, parent, name in
      with(request) { request, shadow in
        if let name { shadow.remove(request, UInt(parent), name, isFolder: false) }
      }
    }
    table.rmdir = { request, parent, name in
      with(request) { request, shadow in
        if let name { shadow.remove(request, UInt(parent), name, isFolder: true) }
      }
    }
    table.link = { request, node, parent, name in
      with(request) { request, shadow in if let name { shadow.link(request, UInt(node), UInt(parent), name) }
      }
    }
    table.rename = { request, parent, name, newParent, newName, flags in
      with(request) { request, shadow in
        if let name, let newName { shadow.move(request, UInt(parent), name, UInt(newParent), newName, flags) }
      }
    }
    table.setattr = { request, node, wanted, fields, info in
      let info = info?.pointee
      with(request) { request, shadow in
        if let wanted { shadow.setStatus(request, UInt(node), wanted.pointee, fields, info) }
      }
    }
  }

  private static func addLocks(to table: inout fuse_lowlevel_ops) {
    table.setlk = { request, _, info, lock, waits in
      with(request, info) { request, shadow, info in
        if let lock { shadow.setLock(request, info, lock.pointee, waits: waits != 0) }
      }
    }
    table.getlk = { request, _, info, lock in
      with(request, info) { request, shadow, info in
        if let lock { shadow.testLock(request, info, lock.pointee) }
      }
    }
    table.flock = { request, _, info, operation in
      with(request, info) { $1.setWholeLock($0, $2, operation) }
    }
  }
}

// From libfuse's arguments to Swift's. These are free functions, because functions for C cannot capture a type.

private func with(_ raw: fuse_req_t?, _ body: (Request, Shadow) -> Void) {
  if let request = Request(raw) { body(request, .of(request)) }
}

private func with(
  _ raw: fuse_req_t?, _ info: UnsafeMutablePointer<fuse_file_info>?,
  _ body: (Request, Shadow, fuse_file_info) -> Void
) {
  if let request = Request(raw), let info { body(request, .of(request), info.pointee) }
}

extension Shadow {
  /// The shadow to which an operation was sent.
  static func of(_ request: Request) -> Shadow {
    guard let address = fuse_req_userdata(request.raw) else {
      preconditionFailure("an operation without a shadow")
    }
    return Unmanaged<Holder>.fromOpaque(address).takeUnretainedValue().shadow
  }

  /// Holds the shadow of a session, which is made after the session.
  final class Holder {
    private var held: Shadow?

    var shadow: Shadow {
      guard let held else { preconditionFailure("the shadow was not made") }
      return held
    }

    func hold(_ shadow: Shadow) { held = shadow }
  }
}
