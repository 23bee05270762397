import Glibc

/// Notices that something appeared, went away or changed at paths that need not exist yet.
///
/// It waits in the kernel (inotify) on a thread of its own and uses no time while nothing happens.
struct PathWatcher: Sendable {
  let paths: [String]

  /// Tells that something may have changed; several changes in a row may be told once.
  ///
  /// The first element comes as soon as watching has begun, so that who looks then misses nothing. The stream
  /// ends at once where the kernel refuses to watch.
  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      continuation.finish()
      return stream
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (stop, stopper) = (ends[0], ends[1])
    // Closing this end is what the thread sees as the sign to stop; the other end is the thread's own.
    continuation.onTermination = { _ in close(stopper) }
    let paths = paths
    let hasBegun = startThread {
      WatchLoop(paths: paths, stop: stop).run { continuation.yield() }
      continuation.finish()
      close(stop)
    }
    if !hasBegun {
      continuation.finish()
      close(stop)
    }
    return stream
  }
}

/// What the watcher's thread does.
private struct WatchLoop {
  let paths: [String]
  let stop: Int32

  /// Watches until `stop` can be read. Each round watches anew, because what exists has changed.
  func run(changed: () -> Void) {
    while true {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      let watches = watchAll(descriptor)
      changed()
      guard waitForChange(descriptor, watches) else { return }
    }
  }

  /// The names that matter below each watched folder; `nil` where all do.
  private func watchAll(_ descriptor: Int32) -> [Int32: Set<String>?] {
    var watches: [Int32: Set<String>?] = [:]
    let files = FileSystem()
    for path in paths {
      let (folder, name) = nearestExisting(path)
      add(folder, only: name, to: descriptor, &watches)
      guard name == nil else { continue }
      // One level below, because a calendar or an address book is a folder in a folder.
      for child in files.names(in: path).prefix(256) where files.isFolder("\(path)/\(child)") {
        add("\(path)/\(child)", only: nil, to: descriptor, &watches)
      }
      let parent = path.parentAndName
      add(parent.parent, only: parent.name, to: descriptor, &watches)
    }
    return watches
  }

  private func add(
    _ path: String, only name: String?, to descriptor: Int32, _ watches: inout [Int32: Set<String>?]
  ) {
    let mask =
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
    let watch = inotify_add_watch(descriptor, path, UInt32(mask))
    guard watch >= 0 else { return }
    guard let name else {
      watches[watch] = .some(nil)
      return
    }
    if let names = watches[watch] {
      watches[watch] = names.map { $0.union([name]) }
    } else {
      watches[watch] = [name]
    }
  }

  /// The path itself, or its nearest ancestor that exists together with the name to wait for in it.
  private func nearestExisting(_ path: String) -> (folder: String, name: String?) {
    let files = FileSystem()
    var current = path
    var awaited: String?
    while files.entry(at: current) == nil, current != "/", !current.isEmpty {
      (current, awaited) = current.parentAndName
    }
    return (current, awaited)
  }

  /// Returns whether something that matters happened; `false` when watching shall stop.
  private func waitForChange(_ descriptor: Int32, _ watches: [Int32: Set<String>?]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      guard !waitUntilReadable([stop, descriptor]).contains(stop) else { return false }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { continue }
      if events(in: buffer[..<count]).contains(where: { matters($0, watches) }) { return true }
    }
  }

  private func matters(_ event: (watch: Int32, name: String), _ watches: [Int32: Set<String>?]) -> Bool {
    guard let names = watches[event.watch] else { return true }
    guard let names else { return true }
    return event.name.isEmpty || names.contains(event.name)
  }

  private func events(in bytes: ArraySlice<UInt8>) -> [(watch: Int32, name: String)] {
    var events: [(Int32, String)] = []
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      let header = MemoryLayout<inotify_event>.size
      while offset + header <= buffer.count {
        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = min(offset + header + Int(event.len), buffer.count)
        let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
        events.append((event.wd, String(decoding: name, as: UTF8.self)))
        offset = end
      }
    }
    return events
  }
}

extension String {
  /// A path's folder and last name.
  fileprivate var parentAndName: (parent: String, name: String) {
    guard let slash = lastIndex(of: "/") else { return (".", self) }
    let parent = slash == startIndex ? "/" : String(self[..<slash])
    return (parent, String(self[index(after: slash)...]))
  }
}
