import Dispatch

/// Finds out which file a process means by a path, on threads of its own and within a time limit.
///
/// A thread whose lookup blocks cannot be stopped, so it is left behind. Once a dead file system has blocked all
/// threads, further lookups wait in line. As soon as the first of them has waited too long, new ones are refused.
package final class PathResolver: Sendable {
  package typealias Lookup =
    @Sendable (_ spelled: [UInt8], _ view: ProcessView) throws(PathDoubt) -> ResolvedPath

  private struct Line {
    var waiting: [(deadline: ContinuousClock.Instant, lookup: @Sendable () -> Void)] = []
    var threads = 0
    /// The number of threads that wait for lookups, and have not been woken.
    var idle = 0
  }

  /// The next step after a lookup has joined the line.
  private enum Step { case wakeThread, startThread, wait }

  /// The time for which a thread waits for another lookup. A program that asks for many files asks at once again.
  private static let idleTime = DispatchTimeInterval.milliseconds(500)

  private let patience: Duration
  private let mostThreads: Int
  private let lookup: Lookup
  private let line = Lock(Line())
  private let work = DispatchSemaphore(value: 0)

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
    try await look { [lookup] () throws(PathDoubt) in
      try lookup(spelled, ProcessView(of: process, startedAt: startTime))
    }
  }

  /// Returns the file that a process means by a path. The calling thread waits for it, so it must be one of this
  /// resolver's.
  package func resolveNow(_ spelled: [UInt8], in view: ProcessView) throws(PathDoubt) -> ResolvedPath {
    try lookup(spelled, view)
  }

  /// Examines files on the threads of this resolver, and within its time limit.
  ///
  /// - Throws: ``PathDoubt/tooSlow`` if the result is not there in time, or if the task is cancelled.
  package func look<Value: Sendable>(
    _ look: @escaping @Sendable () throws(PathDoubt) -> Value
  ) async throws(PathDoubt) -> Value {
    let outcome = OneShot<Result<Value, PathDoubt>>()
    guard perform({ outcome.set(Result { () throws(PathDoubt) in try look() }) }) else { throw .tooSlow }
    let deadline = Task.quiet { [patience] in
      if (try? await QuietClock.sleep(for: patience)) != nil { outcome.set(.failure(.tooSlow)) }
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      await outcome.value
    } onCancel: {
      outcome.set(.failure(.tooSlow))
    }.get()
  }

  /// Adds a lookup to the line, and starts another thread if there can be one. Returns `false` if the first lookup in
  /// line has already waited too long.
  func perform(_ lookup: @escaping @Sendable () -> Void) -> Bool {
    let now = ContinuousClock.now
    let step = line.withLock { [patience, mostThreads] line -> Step? in
      let isFull = line.idle == 0 && line.threads >= mostThreads
      if isFull, let first = line.waiting.first, first.deadline < now { return nil }
      line.waiting.append((now + patience, lookup))
      if line.idle > 0 {
        line.idle -= 1
        return .wakeThread
      }
      guard !isFull else { return .wait }
      line.threads += 1
      return .startThread
    }
    switch step {
    case .wakeThread?: work.signal()
    case .startThread?: if !BlockingThread.start({ self.workOn() }) { line.withLock { $0.threads -= 1 } }
    case .wait?, nil: break
    }
    return step != nil
  }

  /// Performs lookups until there has been none for ``idleTime``.
  private func workOn() {
    repeat {
      while let lookup = next() { lookup() }
    } while waitForLookup()
  }

  /// Returns the next lookup in line. If there is none, the thread becomes idle.
  private func next() -> (@Sendable () -> Void)? {
    line.withLock { line in
      if line.waiting.isEmpty {
        line.idle += 1
        return nil
      }
      return line.waiting.removeFirst().lookup
    }
  }

  /// Waits until this thread is woken. Returns `false` if the thread is to end instead.
  private func waitForLookup() -> Bool {
    if work.wait(timeout: .now() + Self.idleTime) == .success { return true }
    let ends = line.withLock { line in
      // If no thread is counted as idle any more, this one is just being woken.
      guard line.idle > 0 else { return false }
      line.idle -= 1
      line.threads -= 1
      return true
    }
    if !ends { work.wait() }
    return !ends
  }
}
