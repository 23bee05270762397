// What happens to one operation: adding, asking for its ticket, cancelling, ending.

extension OperationQueue {
  func insert<Added: Operation>(_ operation: Added, _ options: OperationOptions) -> OperationRecord {
    let conditions = operation.conditions
    let details = options.details(
      for: options.conditions.isEmpty ? conditions : conditions + options.conditions)
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
    let dependencies = options.dependencies.map { $0.reference.record }
    let flaw = flaw(of: options, dependencies)
    change { state, effects in
      let id = insert(record, traits, into: &state)
      guard flaw == nil else { return }
      for dependency in dependencies where !state.addDependency(id, on: dependency.id) {
        if traits.wantsOutcomes { effects.news.append((record, of: dependency)) }
      }
      state.complete(id, &effects)
    }
    if let flaw { end(record, .failed(flaw)) } else { exclusion.detector.waitBegan() }
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

  private func flaw(of options: OperationOptions, _ dependencies: [OperationRecord]) -> (any Error)? {
    if let (kind, limit) = options.deadlines.negative { return DeadlineError.negative(kind, limit) }
    if let stranger = dependencies.first(where: { $0.queue !== self }) {
      return DependencyError.anotherQueue(operation: stranger.name)
    }
    var ancestor = options.parent
    while let operation = ancestor {
      if dependencies.contains(where: { $0 === operation.record }) {
        return DependencyError.cycle(operation: operation.name)
      }
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
  func ticketGranted(_ ticket: SlotID, to record: OperationRecord) {
    let isWanted = change { $0.granted(ticket, for: record.id, &$1) }
    if !isWanted { exclusion.release(ticket) }
  }

  /// The ticket that an operation holds.
  func ticket(of record: OperationRecord) -> SlotID? {
    guard let details = record.details, !details.categories.isEmpty else { return nil }
    return state.withLock { $0.slots.contains(record.id) ? $0.slots[record.id.index].ticket : nil }
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
    let name = record.name
    let last = change { state, effects -> LastWord? in
      guard let departure = state.end(record.id, &effects) else { return nil }
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
