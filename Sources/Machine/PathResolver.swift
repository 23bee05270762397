/// Finds out which file a process means by a path, on threads of its own and within a time limit.
///
/// A thread whose lookup blocks cannot be stopped, so it is left behind. Once a dead file system has blocked all
/// threads, further lookups wait in line. As soon as the first of them has waited too long, new ones are refused.
package final class PathResolver: Sendable {
  package typealias Lookup =
    @Sendable (_ spelled: [UInt8], _ view: ProcessView) throws(PathDoubt) -> ResolvedPath

  private struct Work: Sendable {
    let deadline: ContinuousClock.Instant
    let perform: @Sendable () -> Void
  }

  private let patience: Duration
  private let lookup: Lookup
  private let pool: WorkerPool<Work>

  package convenience init(patience: Duration = .milliseconds(200), mostThreads: Int = 32) {
    self.init(patience: patience, mostThreads: mostThreads, lookup: PathLookup.resolve)
  }

  /// Creates a resolver with another lookup, which can block.
  package init(patience: Duration, mostThreads: Int, lookup: @escaping Lookup) {
    self.patience = patience
    self.lookup = lookup
    // A program that asks for many files asks at once again, so a thread waits for a while.
    pool = WorkerPool(mostThreads: mostThreads, idleTime: .milliseconds(500)) { $0.perform() }
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

  /// Adds a lookup to the line. Returns `false` if the first lookup in line has already waited too long.
  func perform(_ lookup: @escaping @Sendable () -> Void) -> Bool {
    let now = ContinuousClock.now
    let addition = pool.add(Work(deadline: now + patience, perform: lookup), refusedIf: { $0.deadline < now })
    return addition != .refused
  }
}
