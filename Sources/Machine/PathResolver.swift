/// Finds out which file a process means by a path, on threads of its own and within a time limit.
///
/// A thread whose lookup blocks cannot be stopped, so it is left behind. Once a dead file system has blocked all
/// threads, further lookups wait in line. As soon as the first of them has waited too long, new ones are refused.
package final class PathResolver: Sendable {
  package typealias Lookup =
    @Sendable (_ spelled: [UInt8], _ process: Int32, _ startTime: UInt64) throws(PathDoubt) -> ResolvedPath

  private struct Line {
    var waiting: [(deadline: ContinuousClock.Instant, lookup: @Sendable () -> Void)] = []
    var threads = 0
  }

  private let patience: Duration
  private let mostThreads: Int
  private let lookup: Lookup
  private let line = Lock(Line())

  package convenience init(patience: Duration = .milliseconds(200), mostThreads: Int = 32) {
    self.init(patience: patience, mostThreads: mostThreads, lookup: PathLookup.resolve)
  }

  /// Creates a resolver with another lookup, which can block.
  package init(patience: Duration, mostThreads: Int, lookup: @escaping Lookup) {
    self.patience = patience
    self.mostThreads = mostThreads
    self.lookup = lookup
  }

  /// Returns the file that a process means by a path, absolute or relative to the working folder of the process.
  ///
  /// - Parameter startTime: The start of the process in clock ticks since boot, as in ``ProcessStat``.
  /// - Throws: The reason why the file is not certain. If the task is cancelled, this is ``PathDoubt/tooSlow``.
  package func resolve(
    _ spelled: [UInt8], by process: Int32, startedAt startTime: UInt64
  ) async throws(PathDoubt) -> ResolvedPath {
    try await look { [lookup] () throws(PathDoubt) in try lookup(spelled, process, startTime) }
  }

  /// Examines files on the threads of this resolver, and within its time limit.
  ///
  /// - Throws: ``PathDoubt/tooSlow`` if the result is not there in time, or if the task is cancelled.
  package func look<Value: Sendable>(
    _ look: @escaping @Sendable () throws(PathDoubt) -> Value
  ) async throws(PathDoubt) -> Value {
    typealias Answer = Result<Value, PathDoubt>
    let (answers, answer) = AsyncStream<Answer>.makeStream()
    let hasEntered = enter { answer.yield(Answer { () throws(PathDoubt) in try look() }) }
    guard hasEntered else { throw .tooSlow }
    let earliest: Answer? = try? await first(
      of: { await answers.first { _ in true } },
      { [patience] in
        try? await Task.sleep(for: patience)
        return .failure(.tooSlow)
      })
    return try (earliest ?? .failure(.tooSlow)).get()
  }

  /// Adds a lookup to the line, and starts another thread if there can be one. Returns `false` if the first lookup in
  /// line has already waited too long.
  private func enter(_ lookup: @escaping @Sendable () -> Void) -> Bool {
    let now = ContinuousClock.now
    let (hasEntered, needsThread) = line.withLock { [patience, mostThreads] line in
      let needsThread = line.threads < mostThreads
      if !needsThread, let first = line.waiting.first, first.deadline < now { return (false, false) }
      line.waiting.append((now + patience, lookup))
      if needsThread { line.threads += 1 }
      return (true, needsThread)
    }
    if needsThread, !BlockingThread.start({ self.work() }) { line.withLock { $0.threads -= 1 } }
    return hasEntered
  }

  /// Performs lookups until the line is empty.
  private func work() {
    while let lookup = next() { lookup() }
  }

  private func next() -> (@Sendable () -> Void)? {
    line.withLock { line in
      if line.waiting.isEmpty {
        line.threads -= 1
        return nil
      }
      return line.waiting.removeFirst().lookup
    }
  }
}
