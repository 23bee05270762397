import Machine
import Synchronization

/// An operation that was added to a queue: its work, its task while it has one, and its outcome.
///
/// A record is not generic, because looking up generic metadata for each operation would cost more than the
/// operation itself. Operations that wait for one another are linked by slot instead of by reference, so that
/// releasing a long chain of them never recurses.
final class OperationRecord: Sendable {
  let queue: OperationQueue
  /// The slot, which is set once, under the queue's lock, before any other code can refer to the record.
  private let slot = Atomic<UInt64>(SlotID.none.packed)
  /// Properties that only some operations have.
  let details: OperationDetails?
  private let cell: Lock<Cell>

  private struct Cell: Sendable {
    var stage: Stage
    var task: Task<Void, Never>?
    var waiters: [UnsafeContinuation<Void, Never>] = []
    /// The mailbox, which is created for the first observer, or for the first event that is not a step.
    var mailbox: EventMailbox?
    /// The operation's steps, once it has ended. Until then, the steps are stored in the queue's state.
    var history = EventHistory()
    /// The number of finished tasks, used to avoid storing a task that has already finished.
    var tasksDone: UInt8 = 0
    var isTaskCancelled = false
    /// Whether the outcome is set and all observers have been notified of it. If so, tasks that wait for the outcome
    /// can continue.
    var isAnnounced = false
  }

  private enum Stage: Sendable {
    case working(any Operation)
    /// The operation fails with this error when its work ends, regardless of the work's own result.
    case condemned(any Operation, any Error)
    case ended(OperationEnding, name: String)

    var work: (any Operation)? {
      switch self {
      case .working(let work), .condemned(let work, _): work
      case .ended: nil
      }
    }
  }

  init(queue: OperationQueue, work: any Operation, details: OperationDetails?, mailbox: EventMailbox?) {
    self.queue = queue
    self.details = details
    cell = Lock(Cell(stage: .working(work), mailbox: mailbox))
  }

  /// The operation's slot in the queue's state.
  var id: SlotID {
    get { SlotID(packed: slot.load(ordering: .relaxed)) }
    set { slot.store(newValue.packed, ordering: .relaxed) }
  }

  var publicID: OperationID { OperationID(queue: queue.number, slot: id) }

  var work: (any Operation)? {
    @inline(never) get { cell.withLock { $0.stage.work } }
  }

  var name: String {
    switch cell.withLock({ $0.stage }) {
    case .working(let work), .condemned(let work, _): work.name
    case .ended(_, let name): name
    }
  }

  var ending: OperationEnding? {
    cell.withLock { if case .ended(let ending, _) = $0.stage { ending } else { nil } }
  }

  var outcome: OperationOutcome? { ending?.outcome }
}

extension OperationRecord: Hashable {
  static func == (left: OperationRecord, right: OperationRecord) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Task

extension OperationRecord {
  /// Starts a task that runs the operation's next part.
  func launch() {
    let done = details == nil ? 0 : cell.withLock { $0.tasksDone }
    keep(queue.executor.map(startTask) ?? Task.detached { await self.run() }, done: done)
  }

  /// Starts the task on an executor. This is a function of its own, because a task without an executor is cheaper to
  /// create.
  private func startTask(on executor: any TaskExecutor) -> Task<Void, Never> {
    Task.detached(executorPreference: executor) { await self.run() }
  }

  /// Stores a task so that it can be cancelled later. Does not store a task that has already finished.
  private func keep(_ task: Task<Void, Never>, done: UInt8) {
    let isCancelled = cell.withLock { cell in
      guard cell.tasksDone == done else { return false }
      // The operation was stopped before its task could be stored.
      guard cell.stage.work != nil else { return true }
      cell.task = task
      return cell.isTaskCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Removes and returns the stored task. A task that stays stored after it finishes takes up a kilobyte and a half.
  func takeTask() -> Task<Void, Never>? {
    cell.withLock { cell in
      cell.tasksDone &+= 1
      return cell.task.take()
    }
  }

  /// Takes the current task away from this operation, so that another operation can continue in it. Returns
  /// an empty `FreeTask` if the task is cancelled, because other operations cannot use a cancelled task.
  func freeTask() -> FreeTask {
    guard !isCurrentTaskCancelled else { return FreeTask() }
    return FreeTask(
      cell.withLock { cell in
        cell.tasksDone &+= 1
        let task = cell.task.take()
        return cell.isTaskCancelled ? nil : task
      })
  }

  /// Whether the calling task is cancelled. `Task.isCancelled` would retain the task.
  var isCurrentTaskCancelled: Bool { withUnsafeCurrentTask { $0?.isCancelled ?? false } }

  /// Stores the task that this operation continues in, after another operation has left that task. Cancels the task if
  /// the operation has been asked to end in the meantime.
  func adopt(_ task: Task<Void, Never>?) {
    let isCancelled = cell.withLock { cell in
      if cell.stage.work != nil { cell.task = task }
      return cell.isTaskCancelled
    }
    if isCancelled { task?.cancel() }
  }

  /// Puts back a task that was taken away from this operation, because the operation continues in it after all.
  func putBack(_ task: Task<Void, Never>?) {
    guard let task else { return }
    keep(task, done: cell.withLock { $0.tasksDone })
  }

  /// Cancels the task. If no task is stored yet, cancels the next one as soon as it is stored.
  func cancelTask() {
    let task = cell.withLock { cell in
      cell.isTaskCancelled = true
      return cell.task
    }
    task?.cancel()
  }

  /// Sets the error with which the operation fails when its work ends. Has no effect for a cancellation,
  /// because being cancelled is not a failure. The queue's lock must be held.
  func condemn(to ending: OperationEnding) {
    guard case .failed(let error) = ending else { return }
    cell.withLock { cell in
      if case .working(let work) = cell.stage { cell.stage = .condemned(work, error) }
    }
  }
}

// MARK: - Events

extension OperationRecord {
  /// New observers for an operation that this one adds or runs. They are created by this operation's own observers.
  var observersOfChildren: [any OperationObserver] {
    guard let mailbox = cell.withLock({ $0.mailbox }) else { return [] }
    return mailbox.observers.compactMap { $0.observer(ofChildOf: OperationReference(record: self)) }
  }

  /// Posts a step to all observers. The queue's lock must be held.
  func post(_ step: OperationStep) {
    guard let mailbox = cell.withLock({ $0.mailbox }) else { return }
    if let event = step.event(outcome: outcome) { mailbox.post(event) }
  }

  /// Delivers the posted events. The queue's lock must not be held.
  func deliver() { cell.withLock { $0.mailbox }?.deliver(of: self) }

  /// Reports an event that is not a step, both to current observers and to streams that begin later.
  ///
  /// Like a step, the event is posted under the queue's lock. A stream that begins at the same time therefore contains
  /// the event exactly once, either as a past event or as a new one.
  func tell(_ event: OperationEvent) {
    queue.state.withLock { state in
      guard let steps = state.history(of: id)?.count else { return }
      cell.withLock { cell in
        let mailbox = cell.mailbox ?? EventMailbox()
        cell.mailbox = mailbox
        mailbox.post(event, afterStep: steps)
      }
    }
    deliver()
  }

  /// Starts a stream, which begins with all past events. The queue's lock must be held.
  ///
  /// No task can be waiting for the stream yet, so yielding events under the lock does not resume any task.
  func subscribe(_ stream: EventStream, history: EventHistory?) {
    let (mailbox, ending, final) = cell.withLock { cell -> (EventMailbox?, OperationEnding?, EventHistory) in
      if case .ended(let ending, _) = cell.stage { return (cell.mailbox, ending, cell.history) }
      let mailbox = cell.mailbox ?? EventMailbox()
      cell.mailbox = mailbox
      return (mailbox, nil, cell.history)
    }
    let asides = mailbox?.asides ?? []
    if ending == nil { mailbox?.subscribe(stream) }
    stream.replay(history ?? final, asides, outcome: ending?.outcome)
  }
}

// MARK: - Outcome

extension OperationRecord {
  /// Sets the outcome, unless it is already set. The queue's lock must be held. Returns the work. Releasing the work
  /// can run any deinitializer, so the caller must release the lock first.
  func settle(_ end: OperationEnding, name: String, history: EventHistory) -> (any Operation)? {
    cell.withLock { cell in
      let (work, ending): (any Operation, OperationEnding)
      switch cell.stage {
      case .working(let current): (work, ending) = (current, end)
      case .condemned(let current, let error): (work, ending) = (current, .failed(error))
      case .ended: return nil
      }
      cell.stage = .ended(ending, name: name)
      cell.history = history
      return work
    }
  }

  /// Cancels the operation's task and remedy, if any, and resumes the tasks that wait for the outcome.
  func announce() {
    let (task, waiters) = cell.withLock { cell in
      cell.isAnnounced = true
      return (cell.task.take(), exchange(&cell.waiters, with: []))
    }
    task?.cancel()
    details?.ended()
    for waiter in waiters { waiter.resume() }
  }

  func end() async -> OperationEnding {
    await withUnsafeContinuation { continuation in
      let isAnnounced = cell.withLock { cell in
        if !cell.isAnnounced { cell.waiters.append(continuation) }
        return cell.isAnnounced
      }
      if isAnnounced { continuation.resume() }
    }
    return ending ?? .cancelled
  }
}

/// An operation that continues in a task, and the part of it that the task runs next.
struct Turn: Sendable {
  let record: OperationRecord
  let part: OperationQueue.State.Part
}

/// A task that its operation no longer needs, and the operation, if any, that continues in the task.
///
/// Creating a task and waking a thread for it costs more than running a short operation. Therefore, when an
/// operation leaves its task just as another becomes ready, the other one continues in that task.
struct FreeTask {
  private let task: Task<Void, Never>?
  private(set) var successor: Turn?

  /// - Parameter task: The task to hand over; `nil` if there is none.
  init(_ task: Task<Void, Never>? = nil) { self.task = task }

  /// Whether the task is available for another operation.
  var isFree: Bool { task != nil && successor == nil }

  /// Hands the task over to an operation. From now on, cancelling that operation cancels the task.
  mutating func goOn(with turn: Turn) {
    successor = turn
    turn.record.adopt(task)
  }
}
