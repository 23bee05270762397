import Machine

/// A scheduler that decides which operation holds each category. Several queues can share a scheduler.
///
/// An operation gets either all of its categories or none. Operations of equal priority are served in the
/// order of their requests. When a waiting operation is cancelled, it leaves its lines, and the other
/// operations keep their positions.
public final class ExclusionScheduler: Sendable {
  /// The scheduler that queues use by default.
  public static let shared = ExclusionScheduler(clock: QuietClock())

  private let timeline: Timeline
  private let lines = Lock(ExclusionLines<OperationRecord>())
  let detector: WaitCycleDetector

  /// - Parameter clock: The clock that measures how long operations hold or await categories. It also times the pauses
  ///   between searches for waits that can never end.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    timeline = Timeline(clock)
    detector = WaitCycleDetector(timeline)
  }

  /// The time, according to the scheduler's clock. Not to be read while a lock is held, because the clock can be
  /// anybody's.
  func now() -> Duration { timeline.now() }

  /// Requests all of an operation's categories together.
  func request(
    for record: OperationRecord, _ details: OperationDetails, at now: Duration
  ) throws(ExclusionError) -> (ticket: SlotID, isGranted: Bool) {
    if let lease = details.lease, lease.scheduler !== self { throw .leaseOfAnotherScheduler }
    return try lines.withLock { (lines) throws(ExclusionError) in
      try lines.request(details.request, returningTo: details.position, for: record, at: now)
    }
  }

  /// Releases a ticket, and notifies the operations whose tickets are granted as a result. Releasing the same
  /// ticket again has no effect.
  func release(_ ticket: SlotID) {
    var noTask = FreeTask()
    release(ticket, &noTask)
  }

  /// Releases a ticket. If the calling task is free, it can continue with one of the operations whose tickets
  /// are granted as a result.
  func release(_ ticket: SlotID, _ task: inout FreeTask) {
    handOut(takeBack(ticket, at: now()), &task)
  }

  /// Notifies operations whose tickets have been granted.
  func handOut(_ grants: Few<Grant>, _ task: inout FreeTask) {
    // If an operation cannot use its ticket yet, it returns the ticket. As a result, other operations are
    // granted their tickets, and might return them too.
    var unused: [SlotID] = []
    var grants = grants
    while true {
      grants.forEach { if !$0.record.queue.ticketGranted($0, &task) { unused.append($0.ticket) } }
      guard let ticket = unused.popLast() else { return }
      grants = takeBack(ticket, at: now())
    }
  }

  /// A ticket that has been granted to an operation that waited for it.
  struct Grant: Sendable {
    let ticket: SlotID
    /// The ticket's position. If the operation has to return this ticket, it requests the same position for its next
    /// ticket.
    let position: UInt64
    let record: OperationRecord
  }

  /// Takes a ticket back, and returns the tickets that are granted as a result.
  func takeBack(_ ticket: SlotID, at now: Duration) -> Few<Grant> {
    lines.withLock { lines in
      var grants = Few<Grant>()
      lines.release(ticket, at: now).forEach { id in
        guard let owner = lines.tickets[id.index].owner else { return }
        grants.append(Grant(ticket: id, position: lines.tickets[id.index].label, record: owner))
      }
      return grants
    }
  }
}

// MARK: - Reports

extension ExclusionScheduler {
  /// Returns the current holders and waiters of each category. Takes time proportional to the number of waiters.
  public func snapshot() -> ExclusionSnapshot {
    let reports = lines.withLock { $0.report }
    let now = timeline.now()
    let obstacles = ExclusionLines<OperationRecord>.obstacles(in: reports)
    let lines = reports.map { report in
      let entries = report.standings.map { standing in
        let record = standing.owner
        // The obstacles of all waiters are found together, because finding them separately would walk each line
        // repeatedly.
        let reason = record.queue.explanation(of: record) { Self.words(for: obstacles[$0] ?? [], at: now) }
        return ExclusionSnapshot.Entry(
          operation: OperationReference(record: record), duration: now - standing.since, reason: reason)
      }
      let isHeld = report.standings.first?.isHeld ?? false
      return ExclusionSnapshot.Line(
        category: report.category, lender: report.lender.map(OperationReference.init),
        holder: isHeld ? entries.first : nil, waiters: Array(entries.dropFirst(isHeld ? 1 : 0)))
    }
    return ExclusionSnapshot(lines: lines.sorted { $0.category.name < $1.category.name })
  }

  func explanation(of ticket: SlotID) -> String {
    let obstacles = lines.withLock { $0.obstacles(of: ticket) }
    return Self.words(for: obstacles, at: timeline.now())
  }

  private static func words(
    for obstacles: [ExclusionLines<OperationRecord>.Obstacle], at now: Duration
  ) -> String {
    let sentences = obstacles.map { obstacle in
      let first = obstacle.first
      let holds = first.isHeld ? "held by" : "wanted first by"
      let others = obstacle.ahead > 1 ? ", and \(obstacle.ahead - 1) more are ahead" : ""
      return
        "for “\(obstacle.category)”, \(holds) “\(first.owner.name)” for \((now - first.since).inWords)\(others)"
    }
    return sentences.isEmpty ? "waits for its categories" : "waits " + sentences.joined(separator: "; and ")
  }

  /// The waits of operations for one another in all lines. Each operation waits for the one directly ahead of it.
  var waits: [WaitGraph.Wait] {
    lines.withLock { $0.report }.flatMap { report in
      zip(report.standings.dropFirst(), report.standings).map { behind, ahead in
        WaitGraph.Wait(
          who: OperationReference(record: behind.owner), whom: OperationReference(record: ahead.owner),
          reason: .category(report.category, isHeld: ahead.isHeld))
      }
    }
  }
}

/// Proof that work is being done on behalf of an operation that holds categories. The work is allowed to use these
/// categories too, but each category can be used by only one descendant of the operation at a time.
///
/// A lease is passed on explicitly, from an operation's context to the operations that it runs or adds.
public struct ExclusionLease: Sendable {
  let scheduler: ExclusionScheduler
  let ticket: SlotID
}

/// A reason why a category is not available.
public enum ExclusionError: Error, Equatable, CustomStringConvertible {
  /// An ancestor of the operation holds the category, but the operation is not allowed to use the ancestor's lease.
  case heldByAncestor(category: ExclusionCategory)
  /// The operation that the lease belongs to has already ended.
  case leaseEnded
  /// The lease belongs to a scheduler other than the queue's.
  case leaseOfAnotherScheduler

  public var description: String {
    switch self {
    case .heldByAncestor(let category):
      "“\(category)” is held by an operation that waits for this one. Pass its lease on: run the child with `context.run`."
    case .leaseEnded:
      "The lease has ended with the operation that held it. A lease is good while that operation executes."
    case .leaseOfAnotherScheduler:
      "The lease is of another exclusion scheduler than this queue's."
    }
  }
}
