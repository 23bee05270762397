/// A value type that stores the operations of a queue until they end. Each change produces effects, which the
/// queue must carry out afterwards.
///
/// The effects refer to operations as `Item`. The state itself never accesses an item's contents. Copying an
/// item is cheap, because an item is an object.
struct QueueState<Item: AnyObject & Sendable>: Sendable {
  /// The maximum number of tasks that have been created but have not begun. Each task that begins makes space
  /// for another one.
  static var launchWindow: Int { 64 }
  /// The number of times that an operation lets others go first if it is granted its categories but cannot
  /// get a place. The next time, it keeps its ticket, and gets the first place that becomes free.
  static var patience: UInt8 { 1 }

  /// An operation's phase inside the queue.
  enum Phase: UInt8, Sendable {
    /// The operation waits for dependencies.
    case blocked
    /// The operation's conditions could be evaluated, but the queue is suspended.
    case held
    /// The operation waits for one of the queue's places, or for the queue to be resumed.
    case waitingForPlace
    /// The operation's ticket is being requested.
    case asking
    /// The operation has a ticket that has not been granted yet.
    case inLine
    /// The operation could run, but has to wait because too many tasks have been created but have not begun.
    case waitingForTask
    /// The operation's task has been created but has not begun.
    case launched
    /// The operation's conditions are being evaluated for the first time, or their remedies are running.
    case looking
    /// The operation has everything that it needs, but its conditions must be evaluated for the last time.
    case lastLook
    case executing
  }

  /// The facts that the queue needs in order to schedule an operation.
  struct Traits: Sendable {
    /// If the operation is a remedy, the operation that the remedy is for; otherwise `SlotID.none`.
    var remedyFor = SlotID.none
    var priority = OperationPriority.normal
    /// Whether the operation has conditions that must be evaluated.
    var hasConditions = false
    var hasCategories = false
    /// Whether the operation shares another operation's place and continues while the queue is suspended.
    var isChild = false
    /// Whether the operation's steps must be reported.
    var isWatched = false
    /// Whether the outcomes of the operation's dependencies must be reported to its conditions.
    var wantsOutcomes = false
  }

  struct Slot: LineElement {
    var item: Item?
    var traits = Traits()
    var phase = Phase.blocked
    var hasLooked = false
    var hasPlace = false
    var isCancelRequested = false
    /// The number of times that the operation was granted its categories but could not get a place.
    var turnsMissed: UInt8 = 0
    /// The number of dependencies that have not ended, plus one until the operation has been added completely.
    var pending: UInt32 = 1
    var links = LineLinks()
    /// The operation's ticket; `SlotID.none` while it has none.
    var ticket = SlotID.none
    var history = EventHistory()
    /// The operations that wait for this operation to end. In this order, a slot takes up eighty bytes.
    var dependents = Few<SlotID>()
  }

  var slots = SlotMap<Slot>()
  var held = SlotLine()
  var waitingForPlace = PriorityLines()
  /// The operations that were granted their categories but could not get a place. They get the next free places.
  var waitingAgain = SlotLine()
  var waitingForTask = PriorityLines()
  /// The number of tasks that have been created but have not begun.
  var unbegun = 0
  var placesTaken = 0
  var width = Int.max
  var isSuspended = false

  /// The number of operations that have not ended.
  var count: Int { slots.count }
}

// MARK: - Adding

extension QueueState {
  /// Stores a new operation in a slot. The operation does not continue before `complete` is called.
  mutating func insert(_ item: Item, _ traits: Traits) -> SlotID {
    slots.insert(Slot(item: item, traits: traits))
  }

  /// Makes `id` wait for `dependency`. Returns false if the dependency has already ended.
  mutating func addDependency(_ id: SlotID, on dependency: SlotID) -> Bool {
    guard slots.contains(dependency) else { return false }
    slots[dependency.index].dependents.append(id)
    slots[id.index].pending += 1
    return true
  }

  /// Records that all dependencies of `id` have been added. If all of them have ended, lets the operation continue.
  mutating func complete(_ id: SlotID, _ effects: inout QueueEffects<Item>) {
    tell(id.index, .added, &effects)
    dependencyEnded(id.index, &effects)
  }

  mutating func dependencyEnded(_ index: UInt32, _ effects: inout QueueEffects<Item>) {
    slots[index].pending -= 1
    guard slots[index].pending == 0 else { return }
    tell(index, .dependenciesEnded, &effects)
    admit(index, &effects)
  }

  /// Records a step. If the operation is watched, also adds the step to the effects, so that it is reported.
  mutating func tell(_ index: UInt32, _ step: OperationStep, _ effects: inout QueueEffects<Item>) {
    slots[index].history.append(step)
    guard slots[index].traits.isWatched, let item = slots[index].item else { return }
    effects.steps.append((item, step))
  }
}

/// The actions that a queue must take after its state has changed. The state itself takes none of them.
struct QueueEffects<Item: AnyObject & Sendable> {
  /// Tickets to release. They are released before steps are reported and tasks are launched.
  var releases = Few<SlotID>()
  var launches = Few<Item>()
  /// Whether the task that makes the change is free to continue with another operation.
  var hasFreeTask = false
  var successor: (item: Item, part: QueueState<Item>.Part)?
  /// Operations whose tickets are to be requested from the exclusion scheduler.
  var requests = Few<Item>()
  /// Steps of watched operations, to be reported in this order.
  var steps = Few<(item: Item, step: OperationStep)>()
  /// Whether an operation has begun to wait for a place.
  var hasNewWait = false
  /// Dependencies that have ended, each with an operation whose conditions need the dependency's outcome.
  var news = Few<(item: Item, of: Item)>()
}
