import Machine
import Synchronization

/// An operation that was added to a queue: its work, its task while it has one, and its outcome.
///
/// It is not generic: looking up generic metadata for each operation would cost more than the operation. It refers to
/// other operations by slot only, so that releasing a chain of them never recurses.
final class OperationRecord: Sendable {
  let queue: OperationQueue
  /// Set once, under the queue's lock, before anyone else knows the record.
  private let slot = Atomic<UInt64>(SlotID.none.packed)
  /// Properties that only some operations have.
  let details: OperationDetails?
  private let cell: Lock<Cell>

  private struct Cell: Sendable {
    var stage: Stage
    var task: Task<Void, Never>?
    var waiters: [UnsafeContinuation<Void, Never>] = []
    /// Created for the first observer, or for the first event that is not a step.
    var mailbox: EventMailbox?
    /// Its steps, once it has ended; until then they are in the queue's state.
    var history = EventHistory()
    /// The number of finished tasks, so that a task which ended before it was stored is not kept.
    var tasksDone: UInt8 = 0
    var isTaskCancelled = false
    /// Whether the waiting tasks may continue: the outcome is set, and all observers have seen it.
    var isAnnounced = false
  }

  private enum Stage: Sendable {
    case working(any Operation)
    /// It fails with this error when its work ends, however that ends.
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

  /// Its slot in the queue's state.
  var id: SlotID {
    get { SlotID(packed: slot.load(ordering: .relaxed)) }
    set { slot.store(newValue.packed, ordering: .relaxed) }
  }

  /// Its slot and its queue.
  var publicID: OperationID { OperationID(queue: queue.number, slot: id) }

  /// Its work, until it ends.
  var work: (any Operation)? {
    @inline(never) get { cell.withLock { $0.stage.work } }
  }

  /// The name that logs and explanations use.
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

// MARK: - Its task

extension OperationRecord {
  /// Starts a task that runs its next part.
  func launch() {
    let done = details == nil ? 0 : cell.withLock { $0.tasksDone }
    let task = Task.detached { await self.run() }
    keep(task, done: done)
  }

  /// Keeps a task so that it can be cancelled, unless it has finished already.
  private func keep(_ task: Task<Void, Never>, done: UInt8) {
    let isCancelled = cell.withLock { cell in
      guard cell.tasksDone == done else { return false }
      // It was stopped before its task was kept.
      guard cell.stage.work != nil else { return true }
      cell.task = task
      return cell.isTaskCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Lets go of the current task; a finished task that is kept costs a kilobyte and a half.
  func takeTask() -> Task<Void, Never>? {
    cell.withLock { cell in
      cell.tasksDone &+= 1
      return cell.task.take()
    }
  }

  /// Takes the current task away, for another operation. A cancelled task is of no use to another one.
  func freeTask() -> FreeTask {
    guard !Task.isCancelled else { return FreeTask() }
    return FreeTask(
      cell.withLock { cell in
        cell.tasksDone &+= 1
        let task = cell.task.take()
        return cell.isTaskCancelled ? nil : task
      })
  }

  /// Continues in a task that another operation has left.
  func adopt(_ task: Task<Void, Never>?) {
    cell.withLock { cell in
      if cell.stage.work != nil { cell.task = task }
    }
  }

  /// Returns the task to the operation that requested its ticket in it and now continues itself.
  func putBack(_ task: Task<Void, Never>?) {
    guard let task else { return }
    keep(task, done: cell.withLock { $0.tasksDone })
  }

  /// Cancels the task, now or as soon as there is one.
  func cancelTask() {
    let task = cell.withLock { cell in
      cell.isTaskCancelled = true
      return cell.task
    }
    task?.cancel()
  }

  /// Sets the error that it fails with when its work ends, while the queue's lock is held. Being cancelled is not a
  /// failure.
  func condemn(to ending: OperationEnding) {
    guard case .failed(let error) = ending else { return }
    cell.withLock { cell in
      if case .working(let work) = cell.stage { cell.stage = .condemned(work, error) }
    }
  }
}

// MARK: - Its events

extension OperationRecord {
  /// The observers that also follow the operations that this one adds.
  var observersOfChildren: [any OperationObserver] {
    guard let mailbox = cell.withLock({ $0.mailbox }) else { return [] }
    return mailbox.observers.compactMap { $0.observer(ofChildOf: OperationReference(record: self)) }
  }

  /// Posts a step to all observers, while the queue's lock is held.
  func post(_ step: OperationStep) {
    guard let mailbox = cell.withLock({ $0.mailbox }) else { return }
    if let event = step.event(outcome: outcome) { mailbox.post(event) }
  }

  /// Delivers the posted events, outside of the queue's lock.
  func deliver() { cell.withLock { $0.mailbox }?.deliver(of: self) }

  /// Reports an event that is not a step, to present observers and to later ones.
  ///
  /// Like a step it is posted under the queue's lock, so that a stream which begins meanwhile has it before or after.
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

  /// Starts a stream with all past events, while the queue's lock is held.
  ///
  /// No task waits at the stream yet, so yielding here resumes none.
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

  /// Its steps, once it has ended.
  var finalHistory: EventHistory { cell.withLock { $0.history } }
}

// MARK: - Its end

extension OperationRecord {
  /// Sets the ending, once, while the queue's lock is held. Returns the work, to be released outside of the lock: it
  /// may hold anything, even another operation's handle.
  func settle(_ ending: OperationEnding, name: String, history: EventHistory) -> (any Operation)? {
    cell.withLock { cell in
      guard let work = cell.stage.work else { return nil }
      if case .condemned(_, let error) = cell.stage {
        cell.stage = .ended(.failed(error), name: name)
      } else {
        cell.stage = .ended(ending, name: name)
      }
      cell.history = history
      return work
    }
  }

  /// Cancels the work that is still done for it, and resumes the tasks that wait for the outcome.
  func announce() {
    let (task, waiters) = cell.withLock { cell in
      cell.isAnnounced = true
      let waiters = cell.waiters
      cell.waiters = []
      return (cell.task.take(), waiters)
    }
    task?.cancel()
    details?.ended()
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until it has ended.
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

/// A task that its operation no longer needs, and the operation that continues in it.
///
/// Making a task, and waking a thread for it, costs more than many an operation. So an operation that becomes ready
/// just as another one leaves its task continues in that task.
struct FreeTask {
  private let task: Task<Void, Never>?
  private(set) var successor: OperationRecord?

  /// - Parameter task: `nil` if there is none to hand over.
  init(_ task: Task<Void, Never>? = nil) { self.task = task }

  /// Whether an operation may continue in it.
  var isFree: Bool { task != nil && successor == nil }

  /// Hands the task over to an operation, which its cancellation concerns from now on.
  mutating func goOn(with record: OperationRecord) {
    successor = record
    record.adopt(task)
  }
}
