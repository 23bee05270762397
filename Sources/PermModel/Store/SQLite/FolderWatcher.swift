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
    var watch: FolderWatch?
    var seen: Int?
    var signal: (@Sendable (StoreSignal) -> Void)?
  }

  private let paths: StorePaths
  private let look: Look
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "permtui.store.watch")

  init(paths: StorePaths, look: @escaping Look) {
    self.paths = paths
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
      // Other consumers might have subscribed and read the store before the watch was set up. They are
      // notified, because they might have missed a commit.
      if state.withLock({ $0.consumers > 1 }) { signal(.changed) }
    } catch {
      signal(.failed(error))
      stop()
      throw error
    }
  }

  private func startWatch() throws(StoreError) -> FolderWatch {
    do {
      return try FolderWatch(folder: paths.folder, queue: queue) { [weak self] names in self?.noticed(names) }
    } catch {
      throw .system(path: paths.folder, call: error.attempt, errno: error.code)
    }
  }

  func stop() {
    let watch = state.withLock { state in
      state.consumers -= 1
      guard state.consumers == 0 else { return nil as FolderWatch? }
      defer { state.watch = nil }
      return state.watch
    }
    watch?.cancel()
  }

  private func noticed(_ names: Set<String>) {
    let file = paths.path.lastPathPart
    let marker = paths.marker.lastPathPart
    guard !names.isDisjoint(with: [file, file + "-wal", marker, FolderWatch.everything]) else { return }
    lookAgain()
    guard !names.isDisjoint(with: [file, file + "-wal"]) else { return }
    for delay in [2, 10, 40, 250] {
      queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in self?.lookAgain() }
    }
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
