// What happens to one operation: adding, asking for its ticket, cancelling, ending.

extension OperationQueue {
  func insert<Added: Operation>(_ operation: Added, _ options: OperationOptions) -> OperationRecord {
    let details = options.details(for: operation.conditions.followed(by: options.conditions))
    let mailbox = options.mailbox(for: observers, operation.observers, timer)
    var traits = QueueState<OperationRecord>.Traits(options, details)
    traits.isWatched = mailbox != nil
    let record = OperationRecord(queue: self, work: operation, details: details, mailbox: mailbox)
    guard options.dependencies.isEmpty, options.deadlines.negative == nil else {
      insert(record, traits, options)
      return record
    }
    change { state, effects in
      let id = insert(record, traits, into: &state)
      state.complete(id, &effects)
    }
    return record
  }

  /// The way of operations with dependencies, or with something wrong about them.
  private func insert(
    _ record: OperationRecord, _ traits: QueueState<OperationRecord>.Traits, _ options: OperationOptions
  ) {
    switch slots(of: options.dependencies, for: options) {
    case .failure(let flaw):
      change { state, _ in _ = insert(record, traits, into: &state) }
      end(record, .failed(flaw))
    case .success(let dependencies):
      change { state, effects in
        let id = insert(record, traits, into: &state)
        for (place, dependency) in dependencies.enumerated() where !state.addDependency(id, on: dependency) {
          guard traits.wantsOutcomes else { continue }
          effects.news.append((record, of: options.dependencies[place].reference.record))
        }
        state.complete(id, &effects)
      }
      exclusion.detector.waitBegan()
    }
  }

  private func insert(
    _ record: OperationRecord, _ traits: QueueState<OperationRecord>.Traits,
    into state: inout QueueState<OperationRecord>
  ) -> SlotID {
    let id = state.insert(record, traits)
    record.id = id
    if traits.isChild { exclusion.detector.childAdded(record) }
    return id
  }

  /// Where the dependencies lie in this queue's state; or what is wrong about the options.
  private func slots(
    of dependencies: [any OperationDependency], for options: OperationOptions
  ) -> Result<[SlotID], any Error> {
    if let (kind, limit) = options.deadlines.negative { return .failure(DeadlineError.negative(kind, limit)) }
    if let parent = options.parent, let error = cycle(of: dependencies, with: parent) {
      return .failure(error)
    }
    var slots: [SlotID] = []
    slots.reserveCapacity(dependencies.count)
    // A span gives each where it lies, and an id keeps nothing alive. Copying a dependency out would cost more than all
    // else that it needs.
    let span = dependencies.span
    for place in span.indices {
      let id = span[place].id
      guard id.queue == number else {
        return .failure(DependencyError.anotherQueue(operation: span[place].reference.name))
      }
      slots.append(id.slot)
    }
    return .success(slots)
  }

  private func cycle(
    of dependencies: [any OperationDependency], with parent: OperationReference
  ) -> DependencyError? {
    let dependencies = Set(dependencies.map(\.reference))
    var ancestor: OperationReference? = parent
    while let operation = ancestor {
      if dependencies.contains(operation) { return .cycle(operation: operation.name) }
      ancestor = operation.record.details?.parent
    }
    return nil
  }

  /// Adds the remedy of a condition. It has the operation's own lease, if any, and its place if that is a child.
  func addRemedy<Remedy: Operation>(_ remedy: Remedy, for record: OperationRecord) -> OperationReference {
    let options = OperationOptions(
      priority: record.details?.priority ?? .normal, observers: record.observersOfChildren,
      lease: record.details?.lease,
      usesLease: record.details?.usesLease ?? true, isChild: record.details?.isChild ?? false,
      beneficiary: OperationReference(record: record))
    return add(remedy, options).reference
  }
}

// MARK: - Tickets

extension OperationQueue {
  /// Asks for the ticket of an operation; true if it was granted at once and the operation has not ended meanwhile.
  @discardableResult
  func requestTicket(for record: OperationRecord, inTask: Bool) -> Bool {
    guard let details = record.details else { return false }
    switch exclusion.request(for: record, details) {
    case .failure(let error):
      end(record, .failed(error))
      return false
    case .success(let answer):
      let isWanted = change {
        $0.received(answer.ticket, granted: answer.isGranted, for: record.id, inTask: inTask, &$1)
      }
      if !isWanted { exclusion.release(answer.ticket) }
      if !answer.isGranted { exclusion.detector.waitBegan() }
      return isWanted && answer.isGranted
    }
  }

  /// Called by the exclusion scheduler, outside its lock, when a ticket is granted after waiting.
  func ticketGranted(_ ticket: SlotID, to record: OperationRecord, _ task: inout FreeTask) {
    let isWanted = change(&task) { $0.granted(ticket, for: record.id, &$1) }
    if !isWanted { exclusion.release(ticket, &task) }
  }

  /// The ticket that an operation holds.
  @inline(never)
  func ticket(of record: OperationRecord) -> SlotID? {
    guard let details = record.details, !details.categories.isEmpty else { return nil }
    return state.withLock { $0.slots.contains(record.id) ? $0.slots[record.id.index].ticket : nil }
  }
}

// MARK: - What its tasks report

extension OperationQueue {
  /// Says what a task that begins is for.
  @inline(never)
  func begin(_ record: OperationRecord) -> QueueState<OperationRecord>.Next {
    change { $0.begin(record.id, &$1) }
  }

  /// The looks and remedies found all satisfied; true if the task goes on with the last look itself.
  func goOnAfterLooks(_ record: OperationRecord) -> Bool {
    switch change({ $0.looked(record.id, &$1) }) {
    case .leave, .look, .execute: false
    case .lastLook: true
    case .ask: requestTicket(for: record, inTask: true)
    }
  }

  /// Gives a free task to an operation that waits for one.
  func use(_ task: inout FreeTask) {
    guard task.isFree else { return }
    change(&task) { $0.useFreeTask(&$1) }
  }

  /// The last look found everything as it should be; false if the operation has ended.
  @inline(never)
  func startExecuting(_ record: OperationRecord) -> Bool {
    change { $0.startExecuting(record.id, &$1) }
  }
}

// MARK: - Ending

extension OperationQueue {
  func cancel(_ record: OperationRecord) {
    let isExecuting = change { $0.requestCancel(record.id, &$1) }
    if isExecuting { record.cancelTask() } else { end(record, .cancelled) }
  }

  func fail(_ record: OperationRecord, with error: any Error) {
    let isExecuting = change { $0.requestCancel(record.id, &$1) }
    if isExecuting { record.cancelTask(verdict: error) } else { end(record, .failed(error)) }
  }

  func deadlinePassed(_ alarm: DeadlineTimer.Alarm) {
    let error = DeadlineError.exceeded(alarm.kind, after: alarm.limit)
    switch change({ state, _ in state.deadlinePassed(alarm.kind, for: alarm.record.id) }) {
    case .tooLate: break
    case .end: end(alarm.record, .failed(error))
    case .cancelWork: alarm.record.cancelTask(verdict: error)
    }
  }

  /// Ends an operation; does nothing if it has ended before.
  func end(_ record: OperationRecord, _ ending: OperationEnding) {
    var noTask = FreeTask()
    end(record, ending, &noTask)
  }

  /// The same in its task, which may be free after that for another operation.
  @inline(never)
  func end(_ record: OperationRecord, _ ending: OperationEnding, _ task: inout FreeTask) {
    let name = record.name
    let last = change(&task) { state, effects -> LastWord? in
      guard let departure = state.end(record.id, &effects) else { return nil }
      // Whose turn it is by a ticket that goes back comes first.
      if effects.releases.isEmpty { state.useFreeTask(&effects) }
      let work = record.settle(ending, name: name, history: departure.history)
      return LastWord(work: work, isWatched: departure.isWatched, isIdle: state.count == 0)
    }
    guard let last else { return }
    if record.details?.isChild ?? false { exclusion.detector.childEnded(record) }
    if !last.isWatched { record.announce() }
    if last.isIdle { resumeIdleWaiters() }
  }

  /// What is left to do when an operation has ended.
  private struct LastWord: Sendable {
    /// Let go here, outside of the lock.
    let work: (any Operation)?
    /// Its mailbox announces the end, after all who watch have seen it.
    let isWatched: Bool
    let isIdle: Bool
  }
}

extension Array {
  /// Both, in one array; without a new one where one is empty.
  fileprivate func followed(by others: [Element]) -> [Element] {
    if isEmpty { return others }
    return others.isEmpty ? self : self + others
  }
}

extension QueueState.Traits {
  init(_ options: OperationOptions, _ details: OperationDetails?) {
    priority = options.priority
    isChild = options.isChild
    guard let details else { return }
    hasConditions = details.needsLooks
    hasCategories = !details.categories.isEmpty
    wantsOutcomes = hasConditions && !options.dependencies.isEmpty
  }
}
