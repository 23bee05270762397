import Machine
import Operations

/// Rounds in which three operations hand a category over, and one of them is stopped at about that moment.
///
/// The moment is swept over 30 microseconds after the hand-over begins, or after the operation was added. Half of the
/// rounds run alone, beside a task that keeps another thread awake, so that each step follows at once; of the others
/// several run at a time, so that threads are busy and a hand-over is interrupted anywhere.
package struct Handover: Sendable {
  /// The way in which an operation is stopped.
  private enum Stop: Int, CaseIterable { case cancel, fail, deadline }

  private struct Stopped: Error {}

  private static let steps = 300
  private static let step = Duration.nanoseconds(100)

  private let report = StressReport()
  private let rounds: Int

  package init(rounds: Int) { self.rounds = rounds }

  package func run() async -> StressReport {
    let waker = Task.detached { while !Task.isCancelled { await Task.yield() } }
    await run(lanes: 1, rounds: rounds / 2)
    waker.cancel()
    await run(lanes: 6, rounds: rounds - rounds / 2)
    return report
  }

  private func run(lanes: Int, rounds: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<lanes {
        group.addTask { await runLane(rounds: rounds / lanes + (lane < rounds % lanes ? 1 : 0)) }
      }
    }
  }

  private func runLane(rounds: Int) async {
    let queue = OperationQueue(exclusion: ExclusionScheduler())
    let holders = Holders()
    for round in 0..<rounds {
      let stop = Stop(rawValue: round / 2 % Stop.allCases.count) ?? .cancel
      let delay = Self.step * (round / 6 % Self.steps)
      if round % 2 == 0 {
        await handOver(in: queue, holders, stop, after: delay)
      } else {
        await justAdded(in: queue, holders, stop, after: delay)
      }
    }
    report.note(.twoHolders, count: holders.overlaps)
  }

  /// Stops the second of three that take turns, at about the time when the first leaves.
  private func handOver(
    in queue: OperationQueue, _ holders: Holders, _ stop: Stop, after delay: Duration
  ) async {
    let isReleased = Lock(false)
    let first = Contestant(in: queue, holders, report) {
      while !isReleased.withLock({ $0 }) { await Task.yield() }
    }
    let limit = stop == .deadline ? Duration.microseconds(20) + delay : nil
    let second = Contestant(in: queue, holders, report, exclusion: limit) { spin(.microseconds(5)) }
    let third = Contestant(in: queue, holders, report) { spin(.microseconds(2)) }
    isReleased.withLock { $0 = true }
    await end(second, by: stop, after: delay)
    await first.close()
    await third.close()
  }

  /// Stops an operation at about the time when it begins.
  private func justAdded(
    in queue: OperationQueue, _ holders: Holders, _ stop: Stop, after delay: Duration
  ) async {
    let limit = stop == .deadline ? delay : nil
    let first = Contestant(in: queue, holders, report, exclusion: limit) { spin(.microseconds(5)) }
    let second = Contestant(in: queue, holders, report) { spin(.microseconds(2)) }
    await end(first, by: stop, after: delay)
    await second.close()
  }

  private func end(_ contestant: Contestant, by stop: Stop, after delay: Duration) async {
    spin(delay)
    switch stop {
    case .cancel: contestant.handle.cancel()
    case .fail: contestant.handle.reference.fail(with: Stopped())
    case .deadline: break
    }
    await contestant.close()
    report.countStopped(hadRun: contestant.witness.hasRun)
  }
}

/// One of the operations that take turns.
private struct Contestant: Sendable {
  let handle: OperationHandle<Void>
  let witness: Witness

  init(
    in queue: OperationQueue, _ holders: Holders, _ report: StressReport, exclusion: Duration? = nil,
    _ work: @escaping @Sendable () async -> Void
  ) {
    let witness = Witness(report)
    let deadlines = exclusion.map { Deadlines(exclusion: $0) } ?? .none
    handle = queue.add(conditions: [MutuallyExclusive("baton")], options: .init(deadlines: deadlines)) { _ in
      try await witness.watch {
        holders.enter([0])
        await work()
        holders.leave([0])
      }
    }
    self.witness = witness
  }

  func close() async { await witness.end(of: handle) }
}

/// Keeps the thread busy.
private func spin(_ duration: Duration) {
  let end = ContinuousClock.now + duration
  while ContinuousClock.now < end {}
}
