/// How an operation is added.
struct OperationOptions: Sendable {
  var conditions: [any OperationCondition] = []
  var dependencies: [any OperationDependency] = []
  var priority = OperationPriority.normal
  var deadlines = Deadlines.none
  var observers: [any OperationObserver] = []
  /// Proof that it is done on behalf of an operation that holds categories.
  var lease: ExclusionLease?
  /// False for a child that was not given the lease: it must not wait for what its ancestors hold.
  var usesLease = true
  /// It runs inside another operation's place.
  var isChild = false
  /// The operation that waits for it as its child.
  var parent: OperationReference?
  /// It is cancelled before it begins, because whatever adds it was cancelled.
  var isCancelled = false
  /// The operation that this one is a remedy for.
  var beneficiary: OperationReference?

  /// Whether nothing has to be looked at before it is added.
  var areSimple: Bool {
    dependencies.isEmpty && parent == nil && !isCancelled && deadlines.negative == nil
  }

  /// Whether it may still begin: nothing begins that is added as a child of an operation which was cancelled.
  func isWanted(in queue: OperationQueue, _ state: borrowing QueueState<OperationRecord>) -> Bool {
    if isCancelled { return false }
    guard let parent, parent.record.queue === queue else { return true }
    return !state.isCancelRequested(parent.record.id)
  }

  /// What the queue keeps of it beside the operation itself; `nil` for most.
  func details(for conditions: [any OperationCondition]) -> OperationDetails? {
    let isPlain = conditions.isEmpty && deadlines == .none && priority == .normal && !isChild
    if isPlain && lease == nil && beneficiary == nil { return nil }
    return OperationDetails(self, conditions: conditions)
  }

  /// Where the operation's steps go; `nil` if nobody wants to know.
  func mailbox(
    for queues: [any OperationObserver], _ own: [any OperationObserver], _ timer: DeadlineTimer
  ) -> EventMailbox? {
    if queues.isEmpty && own.isEmpty && observers.isEmpty && deadlines == .none { return nil }
    let mailbox = EventMailbox()
    if deadlines != .none { mailbox.subscribe(DeadlineWatch(deadlines, timer)) }
    for observer in queues + own + observers { mailbox.subscribe(observer) }
    return mailbox
  }
}

/// How soon an operation gets its turn, compared with others that wait for the same thing.
///
/// A higher priority overtakes a lower one, but nobody is overtaken more than a fixed number of times.
public enum OperationPriority: UInt8, Sendable, CaseIterable, Comparable {
  case veryLow
  case low
  case normal
  case high
  case veryHigh

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
