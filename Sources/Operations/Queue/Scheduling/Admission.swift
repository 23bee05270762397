/// All that a queue is told when an operation is added, except the operation itself.
struct Admission: Sendable {
  var conditions: [any OperationCondition] = []
  var dependencies: [any OperationDependency] = []
  var options = OperationOptions()
  /// It runs inside another operation's place.
  var isChild = false
  /// The operation that waits for it as its child.
  var parent: OperationReference?
  /// It is cancelled before it begins, because whatever adds it was cancelled.
  var isCancelled = false
  /// The operation that this one is a remedy for.
  var beneficiary: OperationReference?

  var priority: OperationPriority { options.priority ?? .normal }

  /// Whether nothing has to be looked at before it is added.
  var isSimple: Bool {
    dependencies.isEmpty && parent == nil && !isCancelled && options.deadlines.negative == nil
  }

  /// Whether it may still begin. A child of a cancelled operation never does.
  func isWanted(in queue: OperationQueue, _ state: borrowing QueueState<OperationRecord>) -> Bool {
    if isCancelled { return false }
    guard let parent, parent.record.queue === queue else { return true }
    return !state.isCancelRequested(parent.record.id)
  }

  /// The details that the queue keeps beside the operation itself; `nil` for most.
  func details(for conditions: [any OperationCondition]) -> OperationDetails? {
    let isPlain = conditions.isEmpty && options.deadlines == .none && priority == .normal && !isChild
    if isPlain && options.lease == nil && beneficiary == nil { return nil }
    return OperationDetails(self, conditions: conditions)
  }

  /// The mailbox for the operation's steps; `nil` without observers and deadlines.
  func mailbox(
    for queues: [any OperationObserver], _ own: [any OperationObserver], _ timer: DeadlineTimer
  ) -> EventMailbox? {
    let (deadlines, observers) = (options.deadlines, options.observers)
    if queues.isEmpty && own.isEmpty && observers.isEmpty && deadlines == .none { return nil }
    let mailbox = EventMailbox()
    if deadlines != .none { mailbox.subscribe(DeadlineWatch(deadlines, timer)) }
    for observer in queues + own + observers { mailbox.subscribe(observer) }
    return mailbox
  }
}
