@preconcurrency import Dispatch

/// A collection of watches. All listeners for the same set of paths share one watch.
package final class PathWatches: Sendable {
  /// The collection that the whole process shares.
  package static let shared = PathWatches()

  private struct Entry: Sendable {
    let watch: PathWatch
    let signal = ChangeSignal()
  }

  private let entries = Lock<[[String]: Entry]>([:])

  package init() {}

  /// Returns a stream of signals that something might have changed at these paths. The paths need not exist yet.
  ///
  /// The first element is sent as soon as watching has begun. A listener that examines the paths when it receives this
  /// element therefore misses no change.
  package func changes(of paths: [String]) -> AsyncStream<Void> {
    let paths = Set(paths).sorted()
    let (stream, continuation, watch) = entries.withLock { entries in
      let entry = entries[paths] ?? Entry(watch: PathWatch(paths) { [weak self] in self?.send(paths) })
      entries[paths] = entry
      let (stream, continuation) = entry.signal.subscribe { [weak self] in self?.leave(paths) }
      return (stream, continuation, entry.watch)
    }
    watch.whenWatching { continuation.yield() }
    return stream
  }

  private func send(_ paths: [String]) { entries.withLock { $0[paths] }?.signal.send() }

  private func leave(_ paths: [String]) {
    // The watch is released only after the lock has been released.
    let last: Entry? = entries.withLock { entries in
      entries[paths]?.signal.listenerCount == 0 ? entries.removeValue(forKey: paths) : nil
    }
    withExtendedLifetime(last) {}
  }
}

/// A watch that notices when something appears, disappears or changes at its paths. The paths need not exist yet.
final class PathWatch: Sendable {
  private struct State: Sendable {
    var inotify: Inotify?
    /// The names that are relevant in each watched folder, keyed by watch descriptor; `nil` if all names in
    /// the folder are relevant.
    var names: [Int32: Set<String>?] = [:]
  }

  private let paths: [String]
  private let changed: @Sendable () -> Void
  private let queue = DispatchQueue(label: "permtui.paths")
  private let state = Lock(State())

  /// - Parameter changed: Called when something might have changed. Several changes in quick succession can
  ///   lead to a single call.
  init(_ paths: [String], changed: @escaping @Sendable () -> Void) {
    self.paths = paths
    self.changed = changed
  }

  /// Calls `body` as soon as watching has begun.
  func whenWatching(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if state.withLock({ $0.inotify == nil }) { watchAgain() }
      body()
    }
  }

  private func noticed(_ events: [Inotify.Event]) {
    let names = state.withLock { $0.names }
    guard events.contains(where: { Self.matters($0, names) }) else { return }
    // Files might have been created or deleted, which changes the set of paths that can be watched.
    watchAgain()
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

  /// The folder of devices. Writes to the files in it are not watched, because files such as `/dev/null` are
  /// written to constantly.
  private static let devices = "/dev"

  private static func changes(in folder: String) -> Inotify.Changes {
    folder == devices ? changes.subtracting(.closings) : changes
  }

  /// Watches everything that exists now. Must run on the queue, so that no event is handled before this function has
  /// finished.
  private func watchAgain() {
    let inotify = Inotify(queue: queue) { [weak self] events in self?.noticed(events) }
    let names = watchAll(inotify)
    // The former watches end only now, so that the process keeps its inotify instance.
    let former = state.withLock { state in
      defer { (state.inotify, state.names) = (inotify, names) }
      return state.inotify
    }
    former?.cancel()
  }

  private func watchAll(_ inotify: Inotify) -> [Int32: Set<String>?] {
    var watched: [Int32: Set<String>?] = [:]
    func add(_ path: String, only name: String?) {
      guard let watch = try? inotify.watch(path, for: Self.changes(in: path)) else { return }
      // A folder can be watched for several names. If it is also watched for all names, the individual names
      // no longer matter.
      if let name, let known = watched[watch] ?? [] {
        watched[watch] = known.union([name])
      } else {
        watched[watch] = .some(nil)
      }
    }
    for path in paths {
      var place = nearestExisting(path)
      add(place.folder, only: place.name)
      // A folder that appeared before its parent was watched causes no event.
      while case let now = nearestExisting(path), now != place {
        add(now.folder, only: now.name)
        place = now
      }
      guard place.name == nil, path != Self.devices else { continue }
      // Subfolders are also watched, because each calendar or address book can be a subfolder of one of the paths.
      for child in Folder.names(in: path).sorted().prefix(256)
      where FileStatus("\(path)/\(child)")?.kind == .folder {
        add("\(path)/\(child)", only: nil)
      }
      add(path.folderOfPath, only: path.lastPathPart)
    }
    return watched
  }

  /// Returns the path itself if it exists. Otherwise, returns its nearest existing ancestor and the name to
  /// watch for in that ancestor.
  private func nearestExisting(_ path: String) -> (folder: String, name: String?) {
    var current = path
    var awaited: String?
    while !Files.exists(current), current != "/", !current.isEmpty {
      (current, awaited) = (current.folderOfPath, current.lastPathPart)
    }
    return (current, awaited)
  }
}
