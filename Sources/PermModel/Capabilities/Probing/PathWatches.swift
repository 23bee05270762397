import Machine

/// One watch of the kernel for each set of paths, however many follow it.
final class PathWatches: Sendable {
  /// Those of this process.
  static let shared = PathWatches()

  private struct Entry: Sendable {
    var watch: PathWatch
    var followers: [UInt64: AsyncStream<Void>.Continuation] = [:]
  }

  private struct State: Sendable {
    var entries: [[String]: Entry] = [:]
    var next: UInt64 = 0
  }

  private let state = Lock(State())

  /// Tells that something may have changed at paths, which need not exist yet.
  ///
  /// The first element comes as soon as watching has begun, so that who looks then misses nothing. Where the kernel
  /// refuses to watch, that is the only one.
  func changes(of paths: [String]) -> AsyncStream<Void> {
    let paths = Set(paths).sorted()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (id, watch) = state.withLock { state in
      state.next += 1
      var entry =
        state.entries[paths] ?? Entry(watch: PathWatch(paths) { [weak self] in self?.send(paths) })
      entry.followers[state.next] = continuation
      state.entries[paths] = entry
      return (state.next, entry.watch)
    }
    continuation.onTermination = { [weak self] _ in self?.leave(paths, id) }
    watch.whenWatching { isWatching in
      continuation.yield()
      if !isWatching { continuation.finish() }
    }
    return stream
  }

  private func send(_ paths: [String]) {
    // Continuations are resumed outside the lock.
    let followers = state.withLock { state in state.entries[paths].map { Array($0.followers.values) } ?? [] }
    for follower in followers { follower.yield() }
  }

  private func leave(_ paths: [String], _ id: UInt64) {
    // The watch goes outside the lock.
    let last: Entry? = state.withLock { state in
      state.entries[paths]?.followers[id] = nil
      guard state.entries[paths]?.followers.isEmpty == true else { return nil }
      return state.entries.removeValue(forKey: paths)
    }
    withExtendedLifetime(last) {}
  }
}
