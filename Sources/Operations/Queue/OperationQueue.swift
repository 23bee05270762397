import Machine
import Synchronization

/// A queue that runs each of its operations as soon as everything that the operation waits for has happened.
///
/// Foundation has a class of the same name. To use this class in a file that also imports Foundation, write
/// `import class Operations.OperationQueue`.
///
/// A queue stays alive while it has operations. All of its methods can be called from any thread or task.
public final class OperationQueue: Sendable {
  typealias State = QueueState<OperationRecord>
  typealias Effects = QueueEffects<OperationRecord>

  /// The name used in logs and on the screen.
  public let name: String
  /// The scheduler that decides which operation holds each category.
  public let exclusion: ExclusionScheduler

  /// The clock for deadlines and delays.
  public let clock: any Clock<Duration>

  /// The executor on which operations run; `nil` for the one that all tasks share.
  let executor: (any TaskExecutor)?
  let timer: DeadlineTimer
  let observers: [any OperationObserver]
  let number: UInt32
  let state: Lock<State>
  private let idle = Lock<[UnsafeContinuation<Void, Never>]>([])

  private static let numbers = Atomic<UInt32>(0)

  /// - Parameters:
  ///   - name: The name of the queue, which explanations and snapshots show.
  ///   - width: The maximum number of operations that execute at the same time; at least one. There is no limit by
  ///     default. Operations that wait, for instance for a category, do not count, and neither do children of executing
  ///     operations.
  ///   - isSuspended: Whether the queue starts suspended.
  ///   - exclusion: The scheduler for categories. By default, this is the scheduler that the whole process
  ///     shares.
  ///   - clock: The clock for deadlines and delays.
  ///   - observers: Observers of each operation in the queue, including children and remedies. They are
  ///     notified before the operation's own observers.
  public convenience init(
    name: String = "operations", width: Int? = nil, isSuspended: Bool = false,
    exclusion: ExclusionScheduler = .shared, clock: any Clock<Duration> = ContinuousClock(),
    observers: [any OperationObserver] = []
  ) {
    self.init(
      name: name, width: width, isSuspended: isSuspended, exclusion: exclusion, clock: clock, executor: nil,
      observers: observers)
  }

  /// Creates a queue whose operations run on the ``QuietExecutor``, so that the process is not woken while nothing
  /// happens.
  package convenience init(
    quiet name: String, exclusion: ExclusionScheduler = .shared, observers: [any OperationObserver] = []
  ) {
    self.init(
      name: name, width: nil, isSuspended: false, exclusion: exclusion, clock: QuietClock(),
      executor: QuietExecutor.shared, observers: observers)
  }

  init(
    name: String, width: Int?, isSuspended: Bool, exclusion: ExclusionScheduler, clock: any Clock<Duration>,
    executor: (any TaskExecutor)?, observers: [any OperationObserver]
  ) {
    self.name = name
    self.exclusion = exclusion
    self.clock = clock
    self.executor = executor
    // These observers already see every operation in the queue, including children. Wrapping them hides their own
    // `observer(ofChildOf:)`, so they do not see the children a second time.
    self.observers = observers.map { observer in BlockObserver { observer.observe($0, of: $1) } }
    timer = DeadlineTimer(Timeline(clock))
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    var state = State()
    state.width = max(1, width ?? .max)
    state.isSuspended = isSuspended
    self.state = Lock(state)
  }

  /// Adds an operation.
  ///
  /// - Parameters:
  ///   - operation: The operation to add.
  ///   - conditions: Additional conditions, which follow the operation's own.
  ///   - dependencies: Operations of this queue that must end before this operation starts. Their outcomes do
  ///     not matter unless `NoFailedDependenciesCondition` is attached.
  ///   - options: The operation's priority, deadlines and other settings.
  /// - Returns: The operation's handle. If the operation cannot be added, for instance because a dependency
  ///   is in another queue, the operation has already failed when this method returns.
  @discardableResult
  public func add<Added: Operation>(
    _ operation: Added, conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions()
  ) -> OperationHandle<Added.Output> {
    add(operation, Admission(conditions: conditions, dependencies: dependencies, options: options))
  }

  /// Adds a closure as an operation.
  @discardableResult
  public func add<Output: Sendable>(
    _ name: String = "block", conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions(),
    _ body: @escaping @Sendable (OperationContext) async throws -> Output
  ) -> OperationHandle<Output> {
    add(BlockOperation(name, body), conditions: conditions, after: dependencies, options: options)
  }

  func add<Added: Operation>(_ operation: Added, _ admission: Admission) -> OperationHandle<Added.Output> {
    OperationHandle(record: insert(operation, admission))
  }
}

// MARK: - The queue as a whole

extension OperationQueue {
  /// The number of operations that have not ended.
  public var count: Int { state.withLock { $0.count } }

  /// The operations that have not ended. Takes time proportional to the number of operations.
  public var operations: [OperationReference] {
    state.withLock { $0.items }.map(OperationReference.init)
  }

  /// The maximum number of operations that execute at the same time. Reducing the width does not stop operations that
  /// are already executing.
  public var width: Int {
    get { state.withLock { $0.width } }
    set { change { $0.setWidth(newValue, &$1) } }
  }

  /// Whether the queue is suspended. While the queue is suspended, no operation starts to execute or has its conditions
  /// evaluated, but executing operations and their children continue. An operation that is granted its categories
  /// during that time returns them, so that others can go first.
  public var isSuspended: Bool {
    get { state.withLock { $0.isSuspended } }
    set { change { $0.setSuspended(newValue, &$1) } }
  }

  /// Whether an operation that needs nothing else can have to wait for a place.
  var canHoldUp: Bool { state.withLock { $0.isSuspended || $0.width < .max } }

  /// Cancels all operations that have not ended.
  public func cancelAll() {
    for operation in operations { operation.cancel() }
  }

  /// Waits until the queue has no operations left. Do not call this method inside an operation of this queue,
  /// because the operation would wait for itself.
  public func waitUntilIdle() async {
    await withUnsafeContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.count > 0 { idle.withLock { $0.append(continuation) } }
        return state.count == 0
      }
      if isIdle { continuation.resume() }
    }
  }

  /// Returns a stream of an operation's past and future events, which finishes when the operation ends.
  func events(of record: OperationRecord) -> AsyncStream<OperationEvent> {
    let (events, continuation) = AsyncStream<OperationEvent>.makeStream()
    let stream = EventStream(continuation: continuation)
    state.withLock { state in
      record.subscribe(stream, history: state.watch(record.id))
    }
    return events
  }

  func state(of record: OperationRecord) -> OperationState {
    if let outcome = record.outcome { return .ended(outcome) }
    return state.withLock { $0.publicState(of: record.id) } ?? .ended(record.outcome ?? .cancelled)
  }
}

// MARK: - Changing the state and carrying out the effects

extension OperationQueue {
  /// Changes the state while holding the lock, and carries out the effects of the change after releasing it.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout State, inout Effects) -> Result) -> Result {
    var noTask = FreeTask()
    return change(&noTask, body)
  }

  /// Changes the state and carries out the effects. If the calling task is free, another operation can use it.
  @discardableResult
  func change<Result: Sendable>(
    _ task: inout FreeTask, _ body: (inout State, inout Effects) -> Result
  ) -> Result {
    var effects = Effects()
    effects.hasFreeTask = task.isFree
    let result = apply(&effects, body)
    perform(effects, &task)
    effects.requests.forEach { requestTickets(from: $0) }
    return result
  }

  /// Changes the state and carries out all effects but one: the caller must request the tickets of the
  /// operations in `requests`. If the calling task is free, it can be handed over to another operation.
  func change<Result: Sendable>(
    _ requests: inout Few<OperationRecord>, _ task: inout FreeTask,
    _ body: (inout State, inout Effects) -> Result
  ) -> Result {
    var effects = Effects()
    effects.hasFreeTask = task.isFree
    let result = apply(&effects, body)
    perform(effects, &task)
    requests = effects.requests
    return result
  }

  @inline(__always)
  private func apply<Result: Sendable>(
    _ effects: inout Effects, _ body: (inout State, inout Effects) -> Result
  ) -> Result {
    state.withLock { state in
      let result = body(&state, &effects)
      effects.news.forEach { news in
        guard let outcome = news.of.outcome else { return }
        news.item.details?.dependencyEnded(.init(operation: .init(record: news.of), outcome: outcome))
      }
      effects.steps.forEach { $0.item.post($0.step) }
      return result
    }
  }

  private func perform(_ effects: Effects, _ task: inout FreeTask) {
    if let successor = effects.successor {
      task.goOn(with: Turn(record: successor.item, part: successor.part))
    }
    effects.releases.forEach { exclusion.release($0, &task) }
    effects.steps.forEach { $0.item.deliver() }
    effects.launches.forEach { $0.launch() }
    if effects.hasNewWait { exclusion.detector.waitBegan() }
  }

  func resumeIdleWaiters() {
    for waiter in idle.withLock({ exchange(&$0, with: []) }) { waiter.resume() }
  }
}
