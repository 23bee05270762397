@preconcurrency import Dispatch

/// Notices when something appears, disappears or changes at paths that need not exist yet.
final class PathWatch: Sendable {
  private struct State: Sendable {
    var inotify: Inotify?
    /// The names that matter in each watched folder; `nil` if all do.
    var names: [Int32: Set<String>?] = [:]
  }

  private let paths: [String]
  private let changed: @Sendable () -> Void
  private let queue = DispatchQueue(label: "permtui.paths")
  private let state = Lock(State())

  /// - Parameter changed: Called when something may have changed; several changes in a row may be reported once.
  init(_ paths: [String], changed: @escaping @Sendable () -> Void) {
    self.paths = paths
    self.changed = changed
  }

  /// Calls back as soon as watching has begun, and reports whether the kernel allows it.
  func whenWatching(_ body: @escaping @Sendable (_ isWatching: Bool) -> Void) {
    queue.async { [self] in
      body(state.withLock { $0.inotify != nil } || watchAnew())
    }
  }

  private func noticed(_ events: [Inotify.Event]) {
    let names = state.withLock { $0.names }
    guard events.contains(where: { Self.matters($0, names) }) else { return }
    // The set of existing files has changed, and with it the set of paths that can be watched.
    _ = watchAnew()
    changed()
  }

  private static func matters(_ event: Inotify.Event, _ names: [Int32: Set<String>?]) -> Bool {
    guard let known = names[event.watch], let names = known else { return true }
    return event.name.isEmpty || names.contains(event.name)
  }
}

// MARK: Setting up

extension PathWatch {
  private static let changes: Inotify.Changes = [.arrivals, .departures, .closings, .attributes, .removal]

  /// The folder of devices. Writes in it are not watched, because files such as `/dev/null` are written to constantly.
  private static let devices = "/dev"

  private static func changes(in folder: String) -> Inotify.Changes {
    folder == devices ? changes.subtracting(.closings) : changes
  }

  /// Watches everything that exists now. Must run on the queue, so that no event arrives before it is done.
  private func watchAnew() -> Bool {
    let inotify = try? Inotify(queue: queue) { [weak self] events in self?.noticed(events) }
    let names = inotify.map(watchAll) ?? [:]
    state.withLock { state in
      state.inotify = inotify
      state.names = names
    }
    return inotify != nil
  }

  private func watchAll(_ inotify: Inotify) -> [Int32: Set<String>?] {
    var watched: [Int32: Set<String>?] = [:]
    func add(_ path: String, only name: String?) {
      guard let watch = try? inotify.watch(path, for: Self.changes(in: path)) else { return }
      // A folder may be watched for several names; once it is watched for all names, that wins.
      if let name, let known = watched[watch] ?? [] {
        watched[watch] = known.union([name])
      } else {
        watched[watch] = .some(nil)
      }
    }
    for path in paths {
      let (folder, name) = nearestExisting(path)
      add(folder, only: name)
      guard name == nil, path != Self.devices else { continue }
      // One level deeper, because a calendar or an address book is a folder in a folder.
      for child in Folder.names(in: path).sorted().prefix(256)
      where FileStatus("\(path)/\(child)")?.kind == .folder {
        add("\(path)/\(child)", only: nil)
      }
      add(path.folderOfPath, only: path.lastPathPart)
    }
    return watched
  }

  /// The path itself, or its nearest existing ancestor and the name to wait for in it.
  private func nearestExisting(_ path: String) -> (folder: String, name: String?) {
    var current = path
    var awaited: String?
    while !Files.exists(current), current != "/", !current.isEmpty {
      (current, awaited) = (current.folderOfPath, current.lastPathPart)
    }
    return (current, awaited)
  }
}
