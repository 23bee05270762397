import CFuse
import CWalls

/// An operation that waits for a lock.
struct LockWaiter {
  enum Wanted {
    case range(LockTable.Range)
    case whole(owner: UInt64, isExclusive: Bool)
  }

  var request: Request
  var handle: Handle
  var wanted: Wanted
}

// Locks are passed on to the host, so that a program inside and one outside exclude each other. The host's locks belong to
// the node's open file, and are the union of the locks inside; among the programs inside, the table decides.
extension Shadow {
  func setLock(_ request: Request, _ info: fuse_file_info, _ lock: flock, waits: Bool) {
    perform(request) { () throws(Failure) in
      let handle = try handle(info.fh)
      let range = LockTable.Range(lock, owner: info.lock_owner, handle: info.fh)
      guard Int32(lock.l_type) != F_UNLCK else {
        unlock([range], of: handle.node) { $0.unlock(range) }
        return request.succeed()
      }
      try take(LockWaiter(request: request, handle: handle, wanted: .range(range)), waits: waits)
    }
  }

  /// Locks or unlocks a whole file, as `flock` does.
  func setWholeLock(_ request: Request, _ info: fuse_file_info, _ operation: Int32) {
    perform(request) { () throws(Failure) in
      let handle = try handle(info.fh)
      guard operation & LOCK_UN == 0 else {
        unlockWhole(handle.node, owner: info.lock_owner)
        return request.succeed()
      }
      let wanted = LockWaiter.Wanted.whole(owner: info.lock_owner, isExclusive: operation & LOCK_EX != 0)
      try take(LockWaiter(request: request, handle: handle, wanted: wanted), waits: operation & LOCK_NB == 0)
    }
  }

  private func take(_ waiter: LockWaiter, waits: Bool) throws(Failure) {
    if try take(waiter) { return }
    guard waits else { throw Failure(EAGAIN) }
    lockWaiters.append(waiter)
    onInterrupt(of: waiter.request)
  }

  /// Takes a lock, and answers, unless another one is in the way.
  private func take(_ waiter: LockWaiter) throws(Failure) -> Bool {
    let isTaken =
      switch waiter.wanted {
      case .range(let range): try take(range, of: waiter.handle)
      case .whole(let owner, let isExclusive): try takeWhole(waiter.handle, owner, isExclusive)
      }
    // Before the lock was free, somebody outside may have changed what the kernel has cached.
    let request = waiter.request
    if isTaken { kernel.dropPages(of: waiter.handle.node.id) { request.succeed() } }
    return isTaken
  }

  private func take(_ range: LockTable.Range, of handle: Handle) throws(Failure) -> Bool {
    let file = try handle.file()
    guard handle.node.locks.conflict(with: range) == nil else { return false }
    guard try isFree(walls_lock_range(file.descriptor, range.type, range.start, range.length)) else {
      return false
    }
    handle.node.locks.lock(range)
    return true
  }

  private func takeWhole(_ handle: Handle, _ owner: UInt64, _ isExclusive: Bool) throws(Failure) -> Bool {
    let node = handle.node
    let file = try handle.file()
    guard !node.locks.excludes(owner, exclusively: isExclusive) else { return false }
    // The lock must survive that the node's file is opened for more. A second open file would break a lease.
    if node.wholeLock == nil {
      node.wholeLock =
        file.isLeased ? file : try HostFile(node: try nodes.descriptor(of: node), writing: !file.canRead)
    }
    let descriptor = node.wholeLock?.descriptor ?? -1
    guard try isFree(flock(descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB)) else {
      // As on the host, a lock that could not be converted is lost.
      if node.locks.whole[owner] != nil { unlockWhole(node, owner: owner) }
      if node.locks.wholeUnion == nil { node.wholeLock = nil }
      return false
    }
    node.locks.lockWhole(owner, exclusively: isExclusive)
    return true
  }

  private func isFree(_ result: Int32) throws(Failure) -> Bool {
    if result == 0 { return true }
    let failure = Failure.last
    guard failure.code == EAGAIN || failure.code == EACCES else { throw failure }
    return false
  }

  /// Answers which lock is in the way.
  func testLock(_ request: Request, _ info: fuse_file_info, _ lock: flock) {
    perform(request) { () throws(Failure) in
      let handle = try handle(info.fh)
      let range = LockTable.Range(lock, owner: info.lock_owner, handle: info.fh)
      var found = lock
      if let other = handle.node.locks.conflict(with: range) {
        found = other.asLock
      } else {
        found.l_type = Int16(
          try checked(
            walls_conflicting_lock(
              try handle.file().descriptor, range.type, range.start, range.length, &found.l_start,
              &found.l_len)))
      }
      fuse_reply_lock(request.raw, &found)
    }
  }
}

// MARK: - Giving locks back

extension Shadow {
  /// Changes the table, and unlocks on the host what nobody inside has locked any more.
  private func unlock(_ ranges: [LockTable.Range], of node: Node, _ change: (inout LockTable) -> Void) {
    change(&node.locks)
    guard let file = node.file, file.descriptor >= 0 else { return }
    for part in ranges.flatMap(node.locks.free) {
      _ = walls_lock_range(file.descriptor, F_UNLCK, part.start, part.length)
    }
    tryWaiters(of: node)
  }

  private func unlockWhole(_ node: Node, owner: UInt64) {
    node.locks.lockWhole(owner, exclusively: nil)
    if node.locks.wholeUnion == nil {
      if let file = node.wholeLock, file.descriptor >= 0 { flock(file.descriptor, LOCK_UN) }
      node.wholeLock = nil
    }
    tryWaiters(of: node)
  }

  /// A process that closes a file loses its locks of it.
  func flush(_ request: Request, _ info: fuse_file_info) {
    if let node = handles[info.fh]?.node {
      let lost = node.locks.ranges.filter { $0.owner == info.lock_owner }
      if !lost.isEmpty { unlock(lost, of: node) { _ = $0.remove { $0.owner == info.lock_owner } } }
    }
    request.succeed()
  }

  /// The locks of an open file description end with it.
  func releaseLocks(of handle: Handle, _ info: fuse_file_info) {
    let node = handle.node
    let lost = node.locks.ranges.filter { $0.handle == info.fh }
    if !lost.isEmpty { unlock(lost, of: node) { _ = $0.remove { $0.handle == info.fh } } }
    if info.flock_release != 0 { unlockWhole(node, owner: info.lock_owner) }
  }

  /// Takes the locks of a node on another open file. They are locks for reading, as the present one cannot have others.
  func takeLocks(of node: Node, on file: HostFile) throws(Failure) {
    for range in node.locks.ranges {
      try checked(walls_lock_range(file.descriptor, range.type, range.start, range.length))
    }
  }
}

// MARK: - Waiting

extension Shadow {
  private func tryWaiters(of node: Node) {
    if lockWaiters.contains(where: { $0.handle.node === node }) { tryWaiters { $0.handle.node === node } }
  }

  /// Tries again to take the locks that operations wait for, the oldest first. The host does not tell when a lock becomes
  /// free, so the warden calls this every few milliseconds while there are any.
  func tryWaiters(where isMeant: (LockWaiter) -> Bool = { _ in true }) {
    for waiter in lockWaiters.filter(isMeant) {
      // A lock that another one gave back may have been taken for this waiter meanwhile.
      guard lockWaiters.contains(where: { $0.request == waiter.request }) else { continue }
      do throws(Failure) {
        if try !take(waiter) { continue }
      } catch {
        waiter.request.fail(error)
      }
      lockWaiters.removeAll { $0.request == waiter.request }
    }
  }
}

extension LockTable.Range {
  init(_ lock: flock, owner: UInt64, handle: UInt64) {
    self.init(
      owner: owner, handle: handle, start: lock.l_start,
      end: lock.l_len == 0 ? .max : lock.l_start + lock.l_len - 1, isExclusive: Int32(lock.l_type) == F_WRLCK)
  }

  var type: Int32 { isExclusive ? F_WRLCK : F_RDLCK }
  /// The length as `fcntl` takes it: 0 reaches to the end, however far that is.
  var length: Int { end == .max ? 0 : end - start + 1 }

  var asLock: flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (start, length)
    return lock
  }
}
