@preconcurrency import Dispatch

/// One kernel watch for each set of paths, however many listeners follow it.
package final class PathWatches: Sendable {
  /// The watches of this process.
  package static let shared = PathWatches()

  private struct Entry: Sendable {
    let watch: PathWatch
    let signal = ChangeSignal()
  }

  private let entries = Lock<[[String]: Entry]>([:])

  package init() {}

  /// Signals that something may have changed at paths, which need not exist yet.
  ///
  /// The first element comes as soon as watching has begun, so that a listener that looks then misses nothing. If the
  /// kernel refuses to watch, it is the only element.
  package func changes(of paths: [String]) -> AsyncStream<Void> {
    let paths = Set(paths).sorted()
    let (stream, continuation, watch) = entries.withLock { entries in
      let entry = entries[paths] ?? Entry(watch: PathWatch(paths) { [weak self] in self?.send(paths) })
      entries[paths] = entry
      let (stream, continuation) = entry.signal.subscribe { [weak self] in self?.leave(paths) }
      return (stream, continuation, entry.watch)
    }
    watch.whenWatching { isWatching in
      continuation.yield()
      if !isWatching { continuation.finish() }
    }
    return stream
  }

  private func send(_ paths: [String]) { entries.withLock { $0[paths] }?.signal.send() }

  private func leave(_ paths: [String]) {
    // The watch is released outside the lock.
    let last: Entry? = entries.withLock { entries in
      entries[paths]?.signal.listenerCount == 0 ? entries.removeValue(forKey: paths) : nil
    }
    withExtendedLifetime(last) {}
  }
}

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
