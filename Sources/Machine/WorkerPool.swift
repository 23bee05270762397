import Dispatch

/// A line of work, and the threads that do it. A thread is started when there is work and no other thread is free.
package final class WorkerPool<Work: Sendable>: Sendable {
  /// The outcome of adding work to the line.
  package enum Addition: Sendable {
    case accepted
    case refused
    /// The work is in line, but no thread exists and none can be started.
    case withoutThread
  }

  private struct Line: Sendable {
    var waiting: [Work] = []
    var threads = 0
    /// The number of threads that have found nothing to do, and have not been woken since.
    var idle = 0
  }

  private enum Helper { case idleThread, newThread, busyThread }

  private let mostThreads: Int
  private let idleTime: Duration?
  private let perform: @Sendable (Work) -> Void
  private let line = Lock(Line())
  private let work = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - mostThreads: The largest number of threads. Beyond it, work waits for a thread that has become free.
  ///   - idleTime: The time for which a thread waits for more work before it ends; `nil` if it never ends.
  ///   - perform: Does one piece of work. It may block.
  package init(
    mostThreads: Int, idleTime: Duration? = nil, perform: @escaping @Sendable (Work) -> Void
  ) {
    self.mostThreads = mostThreads
    self.idleTime = idleTime
    self.perform = perform
  }

  /// Whether work is waiting for a thread.
  var isCrowded: Bool { line.withLock { $0.idle == 0 && !$0.waiting.isEmpty } }

  /// Adds work to the line. This does not wait.
  ///
  /// - Parameter isRefused: Returns whether new work is refused. It is called while all threads are busy, with the work
  ///   that is first in line.
  package func add(_ piece: Work, refusedIf isRefused: (_ first: Work) -> Bool = { _ in false }) -> Addition {
    let helper = line.withLock { line -> Helper? in
      let isFull = line.idle == 0 && line.threads >= mostThreads
      if isFull, let first = line.waiting.first, isRefused(first) { return nil }
      line.waiting.append(piece)
      if line.idle > 0 {
        line.idle -= 1
        return .idleThread
      }
      guard !isFull else { return .busyThread }
      line.threads += 1
      return .newThread
    }
    switch helper {
    case nil: return .refused
    case .idleThread?: work.signal()
    case .newThread?: return startThread() ? .accepted : .withoutThread
    case .busyThread?: break
    }
    return .accepted
  }

  /// Takes the first work out of the line, for a caller that does it itself.
  package func takeFirst() -> Work? { next(becomingIdle: false) }

  /// Returns `false` if there is no thread at all.
  private func startThread() -> Bool {
    if BlockingThread.start({ self.workOn() }) { return true }
    return line.withLock { line in
      line.threads -= 1
      return line.threads > 0
    }
  }

  /// Does work until there has been none for ``idleTime``.
  private func workOn() {
    repeat {
      while let piece = next(becomingIdle: true) { perform(piece) }
    } while waitForWork()
  }

  /// Returns the next work. If there is none, the calling thread can be counted as idle at the same moment.
  private func next(becomingIdle: Bool) -> Work? {
    line.withLock { line in
      guard line.waiting.isEmpty else { return line.waiting.removeFirst() }
      if becomingIdle { line.idle += 1 }
      return nil
    }
  }

  /// Waits until this thread is woken. Returns `false` if the thread is to end instead.
  private func waitForWork() -> Bool {
    guard let idleTime else {
      work.wait()
      return true
    }
    if work.wait(timeout: .now() + .nanoseconds(Int(idleTime / .nanoseconds(1)))) == .success { return true }
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
