@preconcurrency import Dispatch

/// A path that a follower wants to be told about.
struct WatchedPath: Sendable {
  let path: String
  var changes: Inotify.Changes
  /// Whether the watch ends with its first event.
  let isOnce: Bool
  /// The number of the follower.
  let follower: Int
  /// The watch descriptor; `nil` if the kernel does not watch the path.
  var descriptor: Int32?
  /// The state of the path when it was last compared, if the kernel does not watch it.
  var look: PathLook?

  init(path: String, changes: Inotify.Changes, isOnce: Bool, follower: Int) {
    self.path = path
    self.changes = changes
    self.isOnce = isOnce
    self.follower = follower
  }

  /// Whether both are one watch of the same follower.
  fileprivate func isSame(as other: WatchedPath) -> Bool {
    follower == other.follower && isOnce == other.isOnce && descriptor == other.descriptor
      && (descriptor != nil || path == other.path)
  }
}

/// The followers of an inotify instance, and what they watch. The kernel has one watch for a file, whatever its name and the
/// number of its followers. Therefore events are sorted by what each of them asked for.
struct InotifyState: Sendable {
  typealias Listener = @Sendable ([Inotify.Event]) -> Void
  typealias Call = (listener: Listener, events: [Inotify.Event])

  /// The descriptor of the instance; -1 without one.
  var descriptor: Int32 = -1
  var source: (any DispatchSourceRead)?
  /// Whether paths that the kernel does not watch will be compared.
  var isComparing = false
  /// The shortage that followers of it know of.
  var toldShortage: InotifyInstance.Shortage?
  private(set) var listeners: [Int: Listener] = [:]
  var watches: [Int32: WatchedPath] = [:]
  /// The numbers of the watches, by the kernel's watch descriptor.
  private var numbers: [Int32: Set<Int32>] = [:]
  private var lastFollower = 0
  private var lastWatch: Int32 = 0

  var unwatched: [Int32: WatchedPath] { watches.filter { $0.value.descriptor == nil } }

  var shortage: InotifyInstance.Shortage? {
    unwatched.isEmpty ? nil : descriptor < 0 ? .instances : .watches
  }

  func isUnwatched(_ number: Int32) -> Bool { watches[number].map { $0.descriptor == nil } ?? false }

  mutating func join(_ listener: @escaping Listener) -> Int {
    lastFollower += 1
    listeners[lastFollower] = listener
    return lastFollower
  }

  /// Removes a follower. If it was the last one, returns the source of events, which is to be cancelled.
  mutating func leave(_ follower: Int) -> (any DispatchSourceRead)? {
    guard listeners.removeValue(forKey: follower) != nil else { return nil }
    for (number, watch) in watches where watch.follower == follower { remove(number) }
    guard listeners.isEmpty else { return nil }
    defer { (descriptor, source) = (-1, nil) }
    return source
  }

  /// Adds a watch, and returns its number. A watch of the same follower for the same file is extended.
  mutating func add(_ watch: WatchedPath) throws(SystemError) -> Int32 {
    guard listeners[watch.follower] != nil else {
      throw SystemError("watch after the end", watch.path, code: 0)
    }
    var watch = watch
    watch.descriptor = try kernelWatch(watch)
    let others = watch.descriptor.map { numbers[$0] ?? [] } ?? Set(unwatched.keys)
    if let number = others.first(where: { watches[$0]?.isSame(as: watch) == true }) {
      watches[number]?.changes.formUnion(watch.changes)
      return number
    }
    lastWatch += 1
    watches[lastWatch] = watch
    if let descriptor = watch.descriptor { numbers[descriptor, default: []].insert(lastWatch) }
    return lastWatch
  }

  /// Asks the kernel to watch paths that it did not watch.
  mutating func watchAgain(_ looked: some Sequence<Int32>) {
    guard descriptor >= 0 else { return }
    for number in looked {
      guard let watch = watches[number], let found = try? kernelWatch(watch) else { continue }
      watches[number]?.descriptor = found
      numbers[found, default: []].insert(number)
    }
  }

  private func kernelWatch(_ watch: WatchedPath) throws(SystemError) -> Int32? {
    try InotifyKernel.watch(watch.path, for: watch.changes, in: descriptor)
  }

  private mutating func remove(_ number: Int32) {
    guard let kernel = watches.removeValue(forKey: number)?.descriptor else { return }
    numbers[kernel]?.remove(number)
    guard numbers[kernel]?.isEmpty == true else { return }
    numbers[kernel] = nil
    InotifyKernel.end(kernel, in: descriptor)
  }
}

// MARK: Events

extension InotifyState {
  /// Returns the events for each follower. Ends the watches that end with an event, and those that the kernel has ended.
  mutating func calls(for events: [InotifyKernel.Event]) -> [Call] {
    var found: [Int: [Inotify.Event]] = [:]
    for event in events {
      if event.isOverflow {
        for follower in listeners.keys { found[follower, default: []].append(.anything) }
      }
      for number in numbers[event.watch] ?? [] {
        guard let watch = watches[number], event.concerns(watch.changes) else { continue }
        found[watch.follower, default: []].append(Inotify.Event(watch: number, name: event.name))
        if watch.isOnce { remove(number) }
      }
      if event.isEnd {
        for number in numbers.removeValue(forKey: event.watch) ?? [] { watches[number] = nil }
      }
    }
    return calls(found)
  }

  /// Returns the events for paths that have changed since they were last compared, and keeps their new states.
  mutating func calls(for changed: [Int32: PathLook]) -> [Call] {
    var found: [Int: [Inotify.Event]] = [:]
    for (number, look) in changed {
      guard let watch = watches[number] else { continue }
      found[watch.follower, default: []].append(Inotify.Event(watch: number, name: ""))
      watches[number]?.look = look
      if watch.isOnce || !look.exists { remove(number) }
    }
    return calls(found)
  }

  private func calls(_ found: [Int: [Inotify.Event]]) -> [Call] {
    found.compactMap { follower, events in listeners[follower].map { ($0, events) } }
  }
}

extension Inotify.Event {
  /// The event if the kernel had to discard some: anything might have changed.
  fileprivate static let anything = Inotify.Event(watch: -1, name: "")
}
