/// All that a queue knows about the operations that have not ended: a value that changes and says what to do about it.
///
/// `Item` is what the effects name; the state itself never looks into it. That it is an object makes copying it cheap.
struct QueueState<Item: AnyObject & Sendable>: Sendable {
  /// How many tasks may be created but not yet begun. Each that begins makes room for the next.
  static var launchWindow: Int { 64 }
  /// How often an operation without a place lets others go first when its turn for its categories comes. The next time it
  /// keeps its ticket until it has a place, which is the first that becomes free.
  static var patience: UInt8 { 1 }

  /// Where an operation stands inside the queue.
  enum Phase: UInt8, Sendable {
    /// Waits for dependencies.
    case blocked
    /// Could be looked at, but the queue is suspended.
    case held
    /// Waits for a place in the queue's width, or for the queue to be resumed.
    case waitingForPlace
    /// Its ticket is being asked for.
    case asking
    /// It has a ticket that is not granted yet.
    case inLine
    /// Could run, but enough tasks have been created that have not begun.
    case waitingForTask
    /// Its task has been created and has not begun.
    case launched
    /// Its task looks at its conditions.
    case looking
    /// It has all it needs but the last look.
    case lastLook
    case executing
  }

  /// What the queue has to know about an operation to schedule it.
  struct Traits: Sendable {
    var priority = OperationPriority.normal
    /// It has conditions to be looked at.
    var hasConditions = false
    var hasCategories = false
    /// It runs inside another operation's place and goes on while the queue is suspended.
    var isChild = false
    /// Its steps shall be told.
    var isWatched = false
    /// It wants to know how its dependencies ended.
    var wantsOutcomes = false
  }

  struct Slot: LineElement, Sendable {
    var item: Item?
    var traits: Traits
    var phase = Phase.blocked
    var hasLooked = false
    var hasPlace = false
    var isCancelRequested = false
    /// How often its turn for its categories came while it could not have a place.
    var turnsMissed: UInt8 = 0
    /// Dependencies that have not ended, and one more until it has been added completely.
    var pending: UInt32 = 1
    /// Who waits for this one.
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
  /// The operations whose turn for their categories came while they could not have a place. They are the next to have one.
  var waitingAgain = SlotLine()
  var waitingForTask = PriorityLines()
  /// Tasks created that have not begun.
  var unbegun = 0
  /// Operations that hold a place.
  var placesTaken = 0
  var width = Int.max
  var isSuspended = false

  /// How many operations have not ended.
  var count: Int { slots.count }
}

// MARK: - Adding

extension QueueState {
  /// Gives a new operation its slot. It goes nowhere before `complete`.
  mutating func insert(_ item: Item, _ traits: Traits) -> SlotID {
    slots.insert(Slot(item: item, traits: traits))
  }

  /// Makes `id` wait for `dependency`; false if that has ended already.
  mutating func addDependency(_ id: SlotID, on dependency: SlotID) -> Bool {
    guard slots.contains(dependency) else { return false }
    slots[dependency.index].dependents.append(id)
    slots[id.index].pending += 1
    return true
  }

  /// Says that `id` has all its dependencies, and lets it go if there is nothing to wait for.
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

  /// Notes a step, and has it told if somebody watches.
  mutating func tell(_ index: UInt32, _ step: OperationStep, _ effects: inout QueueEffects<Item>) {
    slots[index].history.append(step)
    guard slots[index].traits.isWatched, let item = slots[index].item else { return }
    effects.steps.append((item, step))
  }
}

/// What a change of a queue's state wants done. The state itself does nothing.
struct QueueEffects<Item: AnyObject & Sendable> {
  /// Tickets to give back, before anything else.
  var releases = Few<SlotID>()
  /// Give each a task.
  var launches = Few<Item>()
  /// Whether the task that makes the change is free to go on with another operation.
  var hasFreeTask = false
  /// The operation that goes on in that task.
  var successor: Item?
  /// Ask the exclusion scheduler for each one's ticket.
  var requests = Few<Item>()
  /// Steps taken by operations that somebody watches, in order.
  var steps = Few<(item: Item, step: OperationStep)>()
  /// Whether an operation has begun to wait for a place.
  var hasNewWait = false
  /// Dependencies that ended, for operations whose conditions want to know.
  var news = Few<(item: Item, of: Item)>()
}
