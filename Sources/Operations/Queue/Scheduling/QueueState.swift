/// A queue's knowledge of the operations that have not ended: a value that changes and returns the effects to carry
/// out.
///
/// The effects name operations by `Item`; the state itself never looks into it. Since it is an object, copying it is
/// cheap.
struct QueueState<Item: AnyObject & Sendable>: Sendable {
  /// The maximum number of tasks that are created but have not begun. Each that begins makes room for the next.
  static var launchWindow: Int { 64 }
  /// The number of times that an operation without a place lets others go first when it is granted its categories. The
  /// next time it keeps its ticket until it has a place, which is the first that becomes free.
  static var patience: UInt8 { 1 }

  /// An operation's phase inside the queue.
  enum Phase: UInt8, Sendable {
    /// It waits for dependencies.
    case blocked
    /// It could be looked at, but the queue is suspended.
    case held
    /// It waits for a place in the queue's width, or for the queue to be resumed.
    case waitingForPlace
    /// Its ticket is being requested.
    case asking
    /// It has a ticket that is not granted yet.
    case inLine
    /// It could run, but enough tasks have been created that have not begun.
    case waitingForTask
    /// Its task has been created and has not begun.
    case launched
    /// Its task looks at its conditions.
    case looking
    /// It has everything but the last look.
    case lastLook
    case executing
  }

  /// The facts about an operation that the queue needs to schedule it.
  struct Traits: Sendable {
    var priority = OperationPriority.normal
    /// Whether it has conditions to be looked at.
    var hasConditions = false
    var hasCategories = false
    /// Whether it runs inside another operation's place and continues while the queue is suspended.
    var isChild = false
    /// Whether its steps are to be reported.
    var isWatched = false
    /// Whether it wants to know how its dependencies ended.
    var wantsOutcomes = false
  }

  struct Slot: LineElement, Sendable {
    var item: Item?
    var traits: Traits
    var phase = Phase.blocked
    var hasLooked = false
    var hasPlace = false
    var isCancelRequested = false
    /// The number of times that its categories were granted while it could not have a place.
    var turnsMissed: UInt8 = 0
    /// The number of dependencies that have not ended, plus one until it has been added completely.
    var pending: UInt32 = 1
    /// The operations that wait for this one.
    var dependents = Few<SlotID>()
    var links = LineLinks()
    /// `SlotID.none` until it has one.
    var ticket = SlotID.none
    var history = EventHistory()

    static var vacant: Slot { Slot(item: nil, traits: Traits()) }
  }

  var slots = SlotMap<Slot>()
  var held = SlotLine()
  var waitingForPlace = PriorityLines()
  /// The operations whose categories were granted while they could not have a place. They are the next to have one.
  var waitingAgain = SlotLine()
  var waitingForTask = PriorityLines()
  /// The number of tasks that are created but have not begun.
  var unbegun = 0
  /// The number of operations that hold a place.
  var placesTaken = 0
  var width = Int.max
  var isSuspended = false

  /// The number of operations that have not ended.
  var count: Int { slots.count }
}

// MARK: - Adding

extension QueueState {
  /// Gives a new operation its slot. It does not move before `complete`.
  mutating func insert(_ item: Item, _ traits: Traits) -> SlotID {
    slots.insert(Slot(item: item, traits: traits))
  }

  /// Makes `id` wait for `dependency`; returns false if that has ended already.
  mutating func addDependency(_ id: SlotID, on dependency: SlotID) -> Bool {
    guard slots.contains(dependency) else { return false }
    slots[dependency.index].dependents.append(id)
    slots[id.index].pending += 1
    return true
  }

  /// Marks `id` as having all its dependencies, and sends it on if none is left to wait for.
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

  /// Records a step, and has it reported if the operation is watched.
  mutating func tell(_ index: UInt32, _ step: OperationStep, _ effects: inout QueueEffects<Item>) {
    slots[index].history.append(step)
    guard slots[index].traits.isWatched, let item = slots[index].item else { return }
    effects.steps.append((item, step))
  }
}

/// The actions that a change of a queue's state calls for. The state itself performs none.
struct QueueEffects<Item: AnyObject & Sendable> {
  /// Tickets to release, before anything else.
  var releases = Few<SlotID>()
  /// Operations that each need a task.
  var launches = Few<Item>()
  /// Whether the task that makes the change is free to continue with another operation.
  var hasFreeTask = false
  /// The operation that continues in that task.
  var successor: Item?
  /// Operations whose tickets are to be requested from the exclusion scheduler.
  var requests = Few<Item>()
  /// Steps of watched operations, in order.
  var steps = Few<(item: Item, step: OperationStep)>()
  /// Whether an operation has begun to wait for a place.
  var hasNewWait = false
  /// Dependencies that ended, for operations whose conditions want to know.
  var news = Few<(item: Item, of: Item)>()
}
