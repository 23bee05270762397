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
