import Machine

/// Decides which operation holds a category, across queues.
///
/// An operation gets all its categories or none, first come, first served. When a waiter is cancelled, it leaves its
/// lines and the others keep their positions.
public final class ExclusionScheduler: Sendable {
  /// The scheduler of all queues that are not given another one.
  public static let shared = ExclusionScheduler()

  private let timeline: Timeline
  private let lines = Lock(ExclusionLines<OperationRecord>())
  let detector: WaitCycleDetector

  /// - Parameter clock: Measures how long operations have held or waited, and the pauses in the search for waits that
  /// can never end.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    timeline = Timeline(clock)
    detector = WaitCycleDetector(timeline)
  }

  struct Answer: Sendable {
    let ticket: SlotID
    let isGranted: Bool
  }

  /// Requests all of an operation's categories at once.
  func request(for record: OperationRecord, _ details: OperationDetails) -> Result<Answer, ExclusionError> {
    var request = ExclusionLines<OperationRecord>.Request(
      categories: details.categories, priority: details.priority, position: details.position)
    if let lease = details.lease {
      guard lease.scheduler === self else { return .failure(.leaseOfAnotherScheduler) }
      request.ancestor = lease.ticket
      request.usesLease = details.usesLease
    }
    let now = timeline.now()
    return lines.withLock { lines in
      do throws(ExclusionError) {
        let (ticket, isGranted) = try lines.request(request, for: record, at: now)
        return .success(Answer(ticket: ticket, isGranted: isGranted))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Releases a ticket and notifies the operations that this grants theirs. Releasing a ticket twice has no effect.
  func release(_ ticket: SlotID) {
    var noTask = FreeTask()
    release(ticket, &noTask)
  }

  /// Releases a ticket while the calling task may be free to continue with one of the granted operations.
  func release(_ ticket: SlotID, _ task: inout FreeTask) {
    var next: SlotID? = ticket
    // An operation that cannot use its turn returns its own ticket, and the next operation may do the same.
    var unused: [SlotID] = []
    while let ticket = next {
      for grant in takeBack(ticket)
      where !grant.record.queue.ticketGranted(
        grant.ticket, position: grant.position, to: grant.record, &task)
      {
        unused.append(grant.ticket)
      }
      next = unused.popLast()
    }
  }

  /// A ticket that was granted because others were released.
  private struct Grant: Sendable {
    let ticket: SlotID
    let position: UInt64
    let record: OperationRecord
  }

  private func takeBack(_ ticket: SlotID) -> [Grant] {
    let now = timeline.now()
    return lines.withLock { lines in
      lines.release(ticket, at: now).compactMap { id in
        let ticket = lines.tickets[id.index]
        return ticket.owner.map { Grant(ticket: id, position: ticket.label, record: $0) }
      }
    }
  }
}

// MARK: - Reports

extension ExclusionScheduler {
  /// Returns the current holders and waiters of each category. Takes time proportional to their number.
  public func snapshot() -> ExclusionSnapshot {
    let reports = lines.withLock { $0.report }
    let now = timeline.now()
    let lines = reports.map { report in
      let entries = report.standings.map { standing in
        let operation = OperationReference(record: standing.owner)
        return ExclusionSnapshot.Entry(
          operation: operation, duration: now - standing.since, reason: operation.explanation)
      }
      let isHeld = report.standings.first?.isHeld ?? false
      return ExclusionSnapshot.Line(
        category: report.category, lender: report.lender.map(OperationReference.init),
        holder: isHeld ? entries.first : nil, waiters: Array(entries.dropFirst(isHeld ? 1 : 0)))
    }
    return ExclusionSnapshot(lines: lines.sorted { $0.category.name < $1.category.name })
  }

  /// Explains what a waiting ticket waits for.
  func explanation(of ticket: SlotID) -> String {
    let obstacles = lines.withLock { $0.obstacles(of: ticket) }
    let now = timeline.now()
    let sentences = obstacles.map { obstacle in
      let first = obstacle.first
      let holds = first.isHeld ? "held by" : "wanted first by"
      let others = obstacle.ahead > 1 ? ", and \(obstacle.ahead - 1) more are ahead" : ""
      return
        "for “\(obstacle.category)”, \(holds) “\(first.owner.name)” for \((now - first.since).inWords)\(others)"
    }
    return sentences.isEmpty ? "waits for its categories" : "waits " + sentences.joined(separator: "; and ")
  }

  /// All waits of operations for one another, in all lines.
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

/// Proof that work is done on behalf of an operation that holds categories: the work may use them too, one descendant
/// at a time.
///
/// A lease is passed on explicitly, from an operation's context to the operations that it runs or adds.
public struct ExclusionLease: Sendable {
  let scheduler: ExclusionScheduler
  let ticket: SlotID
}

/// A reason why a category is not available.
public enum ExclusionError: Error, Equatable, CustomStringConvertible {
  /// An operation that this one is a child of holds the category, and its lease was not passed on.
  case heldByAncestor(category: ExclusionCategory)
  /// The operation whose lease was given has ended.
  case leaseEnded
  /// The lease belongs to another scheduler than the queue's.
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
