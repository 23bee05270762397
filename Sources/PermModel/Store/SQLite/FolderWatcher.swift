import Dispatch
import Machine
import Operations

/// A watcher for commits by any process, which does not poll. Each successful call of `start` must be followed by one
/// call of `stop`.
///
/// The database file itself does not reveal commits, because they are written to a write-ahead log. The log changes too
/// early, because it is written before the commit becomes visible to readers. Writers therefore touch a marker file
/// after each commit. Some writers might not do this, so the store is also read 2, 10, 40 and 250 ms after each change
/// of the log. The longest delay is for a busy disk, on which it took more than 40 ms until a commit was flushed and
/// became visible.
final class FolderWatcher: Sendable {
  /// A function that reads the store, and returns a number that changes with each commit.
  typealias Look = @Sendable () throws(StoreError) -> Int

  private struct State: Sendable {
    var consumers = 0
    var watch: Inotify?
    var seen: Int?
    var signal: (@Sendable (StoreSignal) -> Void)?
  }

  private let paths: StorePaths
  private let instance: InotifyInstance
  private let look: Look
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "permtui.store.watch")

  init(paths: StorePaths, at instance: InotifyInstance = .shared, look: @escaping Look) {
    self.paths = paths
    self.instance = instance
    self.look = look
  }

  func start(_ signal: @escaping @Sendable (StoreSignal) -> Void) throws(StoreError) {
    let isFirst = state.withLock { state in
      state.consumers += 1
      state.signal = signal
      return state.consumers == 1
    }
    guard isFirst else { return }
    do {
      let watch = try startWatch()
      let seen = try look()
      state.withLock { state in
        state.watch = watch
        state.seen = seen
      }
      awaitWrites()
      // Other consumers might have subscribed and read the store before the watch was set up. They are
      // notified, because they might have missed a commit.
      if state.withLock({ $0.consumers > 1 }) { signal(.changed) }
    } catch {
      signal(.failed(error))
      stop()
      throw error
    }
  }

  private func startWatch() throws(StoreError) -> Inotify {
    let watch = Inotify(at: instance, queue: queue) { [weak self] events in self?.noticed(events) }
    _ = try systemErrors { () throws(SystemError) in
      try watch.watch(paths.folder, for: [.arrivals, .departures, .attributes, .removal, .move])
    }
    return watch
  }

  func stop() {
    let watch = state.withLock { state in
      state.consumers -= 1
      guard state.consumers == 0 else { return nil as Inotify? }
      defer { state.watch = nil }
      return state.watch
    }
    watch?.cancel()
  }

  /// Looks at the store again, because this process has changed it. Its own consumers therefore depend on no watch.
  func lookAfterOwnChange() {
    guard state.withLock({ $0.watch != nil }) else { return }
    queue.async { [weak self] in self?.lookAgain() }
  }

  private func noticed(_ events: [Inotify.Event]) {
    // An event of the file or the log itself has no name.
    let files: Set = ["", paths.path.lastPathPart, paths.log.lastPathPart]
    let isWritten = events.contains { files.contains($0.name) }
    let marker = paths.marker.lastPathPart
    guard isWritten || events.contains(where: { $0.name == marker }) else { return }
    lookAgain()
    if isWritten { lookSoon() }
  }

  private func lookSoon() {
    queue.asyncAfter(deadline: .now() + .milliseconds(2)) { [weak self] in
      self?.awaitWrites()
      self?.lookAgain()
    }
    for delay in [10, 40, 250] {
      queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in self?.lookAgain() }
    }
  }

  /// Asks for the next write to the file and to its log. If one of them is missing, its arrival will be noticed.
  ///
  /// A commit writes to the log a dozen times, and each event wakes two threads. Therefore a watch ends with the first write,
  /// and is renewed two milliseconds later.
  private func awaitWrites() {
    guard let watch = state.withLock(\.watch) else { return }
    for path in [paths.path, paths.log] { _ = try? watch.watch(path, for: .writes, once: true) }
  }

  private func lookAgain() {
    guard state.withLock({ $0.watch != nil }) else { return }
    let found = Result { () throws(StoreError) in try look() }
    let signal: (@Sendable (StoreSignal) -> Void)? = state.withLock { state in
      if case .success(let number) = found {
        guard number != state.seen else { return nil }
        state.seen = number
      }
      return state.signal
    }
    switch found {
    case .success: signal?(.changed)
    case .failure(let error): signal?(.failed(error))
    }
  }
}
