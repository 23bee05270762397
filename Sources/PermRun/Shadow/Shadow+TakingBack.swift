import CFuse
import CWalls

// Taking back what is open: because it is no longer allowed, or because somebody outside needs it.
extension Shadow {
  /// Ends the use of open files and folders that are no longer allowed. Mappings of them end with SIGBUS. During a panic
  /// they are only suspended.
  func takeBack() {
    let before = Dictionary(grouping: handles.values, by: \.standing)
    for handle in (before[.usable] ?? []) + (before[.suspended] ?? []) {
      let standing = standing(of: handle)
      if standing != .usable, handle.standing == .usable { kernel.dropPages(of: handle.node.id) }
      handle.standing = standing
    }
    let after = Dictionary(grouping: handles.values, by: \.standing)
    func change(_ standing: Handle.Standing) -> Int {
      (after[standing]?.count ?? 0) - (before[standing]?.count ?? 0)
    }
    say(change(.takenBack), "taken back from", "what was read is read")
    say(change(.suspended), "suspended", "a panic is on")
    say(change(.usable), "gave back", "the panic is over")
  }

  private func say(_ count: Int, _ act: String, _ reason: String) {
    if count > 0 { notes.note("\(act) \(count) open \(count == 1 ? "file" : "files"); \(reason)") }
  }

  private func standing(of handle: Handle) -> Handle.Standing {
    guard let use = handle.use else { return .usable }
    // The file may have been moved since it was opened. If its name is gone, the name at that time counts.
    let found = try? nodes.path(of: handle.node)
    let path = found.map { counting($0, handle.node.identity) } ?? use.path
    let now = (use.part == .write ? FileUse.write(path) : .read(path)).ofCopy(use.isCopy)
    let rulings = [now, use.path == path ? nil : use].compactMap(\.self).map {
      (try? ruling(on: $0)) ?? .denied
    }
    // An answer for this time lasts as long as the file is open.
    if rulings.allSatisfy({ $0 == .allowed || $0 == .open && handle.isGranted }) { return .usable }
    return rulings.contains(.suspended) ? .suspended : .takenBack
  }

  private func end(_ handle: Handle) {
    handle.standing = .takenBack
    kernel.dropPages(of: handle.node.id)
  }
}

// MARK: - Leases

extension Shadow {
  /// Makes sure that nobody outside has a file open, and that the warden is told if somebody wants to.
  func lease(_ file: HostFile, of name: Name) throws(Failure) {
    guard walls_lease(file.descriptor, 1) == 0 else {
      let text = String(decoding: name.bytes, as: UTF8.self)
      notes.note(
        "\(text) is in use outside. Programs share memory through it, so it cannot be used inside as well.")
      throw Failure(EBUSY)
    }
    file.isLeased = true
  }

  /// Gives a database to a program outside that has opened its shared memory. Inside, each later use of the database
  /// fails, so that nothing is written beside what is written outside. The descriptors are closed before the program
  /// outside goes on, and with them end the locks.
  func giveAway(leaseOf descriptor: Int32) {
    guard let place = handles.values.first(where: { $0.isLeased(descriptor) })?.node.place else { return }
    let database = handles.values.filter { handle in
      guard let other = handle.node.place, other.parent == place.parent else { return false }
      return SharedMemory.isSameDatabase(place.name.bytes, other.name.bytes)
    }
    for handle in database { handle.withdrawFile(unless: descriptor) }
    for handle in database { handle.withdrawFile(unless: nil) }
    for handle in database {
      handle.node.locks = LockTable()
      end(handle)
    }
    let text = String(decoding: place.name.bytes, as: UTF8.self)
    notes.note("\(text) was opened outside, so programs inside can no longer use this database")
  }
}

extension Handle {
  /// Whether a descriptor is the one of this file, and the file is leased. Its number can have been used again.
  func isLeased(_ descriptor: Int32) -> Bool {
    if case .file(let file) = content { file.isLeased && file.descriptor == descriptor } else { false }
  }

  /// Closes the file on the host, unless it has a certain descriptor.
  func withdrawFile(unless descriptor: Int32?) {
    guard case .file(let file) = content, file.descriptor != descriptor else { return }
    node.wholeLock?.withdraw()
    node.wholeLock = nil
    file.withdraw()
  }
}
