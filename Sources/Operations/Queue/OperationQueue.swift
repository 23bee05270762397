import Machine
import Synchronization

/// Runs operations, each once everything that it waits for has happened.
///
/// Beside Foundation's class of the same name, say which one is meant: `import class Operations.OperationQueue`.
///
/// A queue stays alive while it has operations. All its methods may be called from any thread and any task.
public final class OperationQueue: Sendable {
  /// What logs and the screen call it.
  public let name: String
  /// Who decides which operation holds a category.
  public let exclusion: ExclusionScheduler

  /// Where deadlines and delays have their time from.
  public let clock: any Clock<Duration>

  let timer: DeadlineTimer
  let observers: [any OperationObserver]
  let number: UInt32
  let state: Lock<QueueState<OperationRecord>>
  private let idle = Lock<[UnsafeContinuation<Void, Never>]>([])

  private static let numbers = Atomic<UInt32>(0)

  /// - Parameters:
  ///   - width: How many operations may execute at once. Who waits, be it for a category, does not count, and neither
  ///     do children of executing operations. At least one; no limit unless given.
  ///   - isSuspended: Whether it starts suspended.
  ///   - exclusion: One for the process unless given.
  ///   - clock: For deadlines, delays and explanations.
  ///   - observers: Are told the steps of each operation of the queue, children and remedies included, before its
  ///     own observers.
  public init(
    name: String = "operations", width: Int? = nil, isSuspended: Bool = false,
    exclusion: ExclusionScheduler = .shared, clock: any Clock<Duration> = ContinuousClock(),
    observers: [any OperationObserver] = []
  ) {
    self.name = name
    self.exclusion = exclusion
    self.clock = clock
    self.observers = observers.map(QueueObserver.init)
    timer = DeadlineTimer(Timeline(clock))
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    var state = QueueState<OperationRecord>()
    state.width = max(1, width ?? .max)
    state.isSuspended = isSuspended
    self.state = Lock(state)
  }

  /// Adds an operation.
  ///
  /// - Parameters:
  ///   - conditions: Follow the operation's own.
  ///   - dependencies: Operations of this queue that must have ended before. The operation runs however they ended,
  ///     unless `NoFailedDependenciesCondition` is attached.
  /// - Returns: Its handle. An operation that cannot be added, for instance after an operation of another queue, has
  ///   failed already.
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
  /// How many operations have not ended.
  public var count: Int { state.withLock { $0.count } }

  /// The operations that have not ended. Takes time with their number.
  public var operations: [OperationReference] {
    state.withLock { $0.items }.map(OperationReference.init)
  }

  /// How many operations may execute at once. A smaller width stops nothing that executes already.
  public var width: Int {
    get { state.withLock { $0.width } }
    set { change { $0.setWidth(newValue, &$1) } }
  }

  /// While it is suspended no operation is looked at or starts to execute; what executes goes on, its children too.
  /// An operation whose turn for its categories comes meanwhile lets others go first.
  public var isSuspended: Bool {
    get { state.withLock { $0.isSuspended } }
    set { change { $0.setSuspended(newValue, &$1) } }
  }

  /// Cancels all operations that have not ended.
  public func cancelAll() {
    for operation in operations { operation.cancel() }
  }

  /// Waits until no operation is left. Do not call it inside an operation of this queue: that one is left.
  public func waitUntilIdle() async {
    await withUnsafeContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.count > 0 { idle.withLock { $0.append(continuation) } }
        return state.count == 0
      }
      if isIdle { continuation.resume() }
    }
  }

  /// All that happened to an operation and all that will, up to its end.
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

// MARK: - Changing the state and doing what follows

extension OperationQueue {
  /// Changes the state under the lock, and does what the change wants done outside of it.
  @discardableResult
  func change<Result: Sendable>(
    _ body: (inout QueueState<OperationRecord>, inout QueueEffects<OperationRecord>) -> Result
  ) -> Result {
    var noTask = FreeTask()
    return change(&noTask, body)
  }

  /// The same, where the calling task may be free to go on with another operation.
  @discardableResult
  func change<Result: Sendable>(
    _ task: inout FreeTask,
    _ body: (inout QueueState<OperationRecord>, inout QueueEffects<OperationRecord>) -> Result
  ) -> Result {
    var effects = QueueEffects<OperationRecord>()
    effects.hasFreeTask = task.isFree
    let result = apply(&effects, body)
    perform(effects, &task)
    effects.requests.forEach { requestTickets(from: $0) }
    return result
  }

  /// The same without a free task, where the caller asks for the tickets that are to be asked for.
  func change<Result: Sendable>(
    _ requests: inout Few<OperationRecord>,
    _ body: (inout QueueState<OperationRecord>, inout QueueEffects<OperationRecord>) -> Result
  ) -> Result {
    var (effects, noTask) = (QueueEffects<OperationRecord>(), FreeTask())
    let result = apply(&effects, body)
    perform(effects, &noTask)
    requests = effects.requests
    return result
  }

  @inline(__always)
  private func apply<Result: Sendable>(
    _ effects: inout QueueEffects<OperationRecord>,
    _ body: (inout QueueState<OperationRecord>, inout QueueEffects<OperationRecord>) -> Result
  ) -> Result {
    state.withLock { state in
      let result = body(&state, &effects)
      effects.news.forEach { news in
        guard let outcome = news.of.outcome else { return }
        news.item.details?.dependencyEnded(
          DependencyOutcome(operation: .init(record: news.of), outcome: outcome))
      }
      effects.steps.forEach { $0.item.post($0.step) }
      return result
    }
  }

  private func perform(_ effects: QueueEffects<OperationRecord>, _ task: inout FreeTask) {
    if let successor = effects.successor { task.goOn(with: successor) }
    effects.releases.forEach { exclusion.release($0, &task) }
    effects.steps.forEach { $0.item.deliver() }
    effects.launches.forEach { $0.launch() }
    if effects.hasNewWait { exclusion.detector.waitBegan() }
  }

  func resumeIdleWaiters() {
    let waiters = idle.withLock { waiters in
      let all = waiters
      waiters = []
      return all
    }
    for waiter in waiters { waiter.resume() }
  }
}
