/// The information that is needed to add an operation to a queue, besides the operation itself.
struct Admission: Sendable {
  var conditions: [any OperationCondition] = []
  var dependencies: [any OperationDependency] = []
  var options = OperationOptions()
  /// Whether the operation shares another operation's place, so that it does not count toward the queue's width.
  var isChild = false
  /// The parent that waits for this operation; `nil` if the operation is not a child.
  var parent: OperationReference?
  /// Whether the operation is cancelled before it begins, because the group that adds it was cancelled.
  var isCancelled = false
  /// If this operation is a remedy or a child of a remedy, the operation that the remedy is for.
  var beneficiary: OperationReference?

  var priority: OperationPriority { options.priority ?? .normal }

  /// Returns a copy in which the operation also waits for its own dependencies. Few operations have any, and a copy
  /// retains six objects.
  @inline(never)
  func after(_ own: [any OperationDependency]) -> Admission {
    var copy = self
    copy.dependencies = own + dependencies
    return copy
  }

  /// Whether the operation can be added without further checks, because it has no dependencies, no parent and
  /// no negative deadline, and is not cancelled.
  var isSimple: Bool {
    dependencies.isEmpty && parent == nil && !isCancelled && options.deadlines.negative == nil
  }

  /// Returns whether the operation is still allowed to begin. A child of a cancelled operation never begins.
  func isWanted(in queue: OperationQueue, _ state: borrowing OperationQueue.State) -> Bool {
    if isCancelled { return false }
    guard let parent, parent.record.queue === queue else { return true }
    return !state.isCancelRequested(parent.record.id)
  }

  /// Returns the details that are stored in addition to the operation itself; `nil` for most operations.
  func details(for conditions: [any OperationCondition]) -> OperationDetails? {
    let isPlain = conditions.isEmpty && options.deadlines == .none && priority == .normal && !isChild
    if isPlain && options.lease == nil && beneficiary == nil { return nil }
    return OperationDetails(conditions: conditions, priority: priority, kinship: Kinship.of(self))
  }

  /// Returns the facts that the queue needs in order to schedule the operation. This is not an initializer, because that
  /// would own its arguments, so that the admission would be copied.
  func traits(_ details: OperationDetails?) -> OperationQueue.State.Traits {
    var traits = OperationQueue.State.Traits()
    traits.priority = priority
    traits.isChild = isChild
    // A child of a remedy ends with its parent.
    if parent == nil, let beneficiary { traits.remedyFor = beneficiary.record.id }
    guard let details else { return traits }
    traits.hasConditions = details.needsLooks
    traits.hasCategories = !details.categories.isEmpty
    traits.wantsOutcomes = details.needsLooks && !dependencies.isEmpty
    return traits
  }

  /// Returns the mailbox for the operation's steps; `nil` if the operation has neither observers nor deadlines.
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
