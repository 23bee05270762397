import Machine

// The life cycle of an operation: adding it, requesting its ticket, stopping it and ending it.

extension OperationQueue {
  func insert<Added: Operation>(_ operation: Added, _ admission: Admission) -> OperationRecord {
    let dependencies = operation.dependencies
    // Few operations have dependencies of their own. For all others, a copy of the admission would retain six objects.
    if dependencies.isEmpty { return insertPrepared(operation, admission) }
    var admission = admission
    admission.dependencies = dependencies.followed(by: admission.dependencies)
    return insertPrepared(operation, admission)
  }

  /// Inserts an operation whose own dependencies are already among those of the admission.
  @inline(__always)
  private func insertPrepared<Added: Operation>(
    _ operation: Added, _ admission: Admission
  ) -> OperationRecord {
    let (record, traits) = record(of: operation, admission)
    guard admission.isSimple else {
      insert(record, traits, admission)
      return record
    }
    change { state, effects in
      let id = insert(record, traits, into: &state)
      state.complete(id, &effects)
    }
    return record
  }

  @inline(__always)
  private func record<Added: Operation>(
    of operation: Added, _ admission: Admission
  ) -> (OperationRecord, State.Traits) {
    let details = admission.details(for: operation.conditions.followed(by: admission.conditions))
    let mailbox = admission.mailbox(for: observers, operation.observers, timer)
    var traits = State.Traits(admission, details)
    traits.isWatched = mailbox != nil
    return (OperationRecord(queue: self, work: operation, details: details, mailbox: mailbox), traits)
  }

  /// Inserts an operation that must be checked: a child, a cancelled operation, or one with dependencies or a
  /// negative deadline.
  private func insert(_ record: OperationRecord, _ traits: State.Traits, _ admission: Admission) {
    do {
      let dependencies = try slots(of: admission.dependencies, for: admission)
      insert(record, traits, admission, after: dependencies)
      if !dependencies.isEmpty { exclusion.detector.waitBegan() }
    } catch {
      change { state, _ in _ = insert(record, traits, into: &state) }
      end(record, .failed(error))
    }
  }

  private func insert(
    _ record: OperationRecord, _ traits: State.Traits, _ admission: Admission, after dependencies: [SlotID]
  ) {
    let isWanted = change { state, effects in
      let id = insert(record, traits, into: &state)
      guard admission.isWanted(in: self, state) else {
        state.tell(id.index, .added, &effects)
        return false
      }
      add(dependencies, to: record, admission, &state, &effects)
      state.complete(id, &effects)
      return true
    }
    // The operation has not been marked as complete, so it cannot have begun and can simply be ended.
    if !isWanted { end(record, .cancelled) }
  }

  /// Makes an operation wait for others. If a dependency is listed twice, its outcome is reported to the
  /// operation's conditions only once.
  private func add(
    _ dependencies: [SlotID], to record: OperationRecord, _ admission: Admission,
    _ state: inout State, _ effects: inout Effects
  ) {
    let id = record.id
    let wantsOutcomes = state.slots[id.index].traits.wantsOutcomes
    var told: Set<SlotID> = []
    for (place, dependency) in dependencies.enumerated() {
      if wantsOutcomes && !told.insert(dependency).inserted { continue }
      if !state.addDependency(id, on: dependency) && wantsOutcomes {
        effects.news.append((record, of: admission.dependencies[place].reference.record))
      }
    }
  }

  private func insert(_ record: OperationRecord, _ traits: State.Traits, into state: inout State) -> SlotID {
    let id = state.insert(record, traits)
    record.id = id
    if record.details?.isAwaited ?? false { exclusion.detector.childAdded(record) }
    return id
  }

  /// Returns the dependencies' slots in this queue's state.
  ///
  /// - Throws: `DeadlineError` if a deadline is negative; `DependencyError` if a dependency is in another
  ///   queue or is an ancestor of the operation.
  private func slots(
    of dependencies: [any OperationDependency], for admission: Admission
  ) throws -> [SlotID] {
    if let (kind, limit) = admission.options.deadlines.negative { throw DeadlineError.negative(kind, limit) }
    if let parent = admission.parent, let error = cycle(of: dependencies, with: parent) { throw error }
    var slots: [SlotID] = []
    slots.reserveCapacity(dependencies.count)
    try dependencies.forEachID { id in
      guard id.queue == number else {
        throw DependencyError.anotherQueue(operation: dependencies[slots.count].reference.name)
      }
      slots.append(id.slot)
    }
    return slots
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

  /// Adds the remedy of a condition, unless the operation has ended. The remedy receives the operation's lease, if
  /// there is one. A child needs no place in the queue, and neither does a child's remedy.
  func addRemedy<Remedy: Operation>(
    _ remedy: Remedy, for record: OperationRecord, conditionAt place: Int
  ) -> OperationReference? {
    let options = OperationOptions(
      priority: record.details?.priority, observers: record.observersOfChildren, lease: record.details?.lease,
      usesLease: record.details?.usesLease ?? true)
    let (added, traits) = self.record(
      of: remedy,
      Admission(
        options: options, isChild: record.details?.isChild ?? false,
        beneficiary: OperationReference(record: record)))
    let isWanted = change { state, effects in
      guard state.slots.contains(record.id) else { return false }
      let id = insert(added, traits, into: &state)
      // The remedy is recorded before the lock is released, so that it is cancelled if the operation ends.
      record.details?.startRemedy(OperationReference(record: added), ofConditionAt: place)
      state.complete(id, &effects)
      return true
    }
    return isWanted ? OperationReference(record: added) : nil
  }
}

// MARK: - Tickets

extension OperationQueue {
  /// Requests the ticket for an operation's categories. Returns true if the ticket was granted immediately and the
  /// operation has not ended in the meantime.
  ///
  /// - Parameters:
  ///   - others: Receives the operations whose tickets must be requested next, because they just got a place.
  ///   - task: The calling task. If it is free and the ticket is not granted immediately, another operation can use it.
  @discardableResult
  private func requestTicket(
    for record: OperationRecord, inTask: Bool, _ others: inout Few<OperationRecord>, _ task: inout FreeTask
  ) -> Bool {
    guard let details = record.details else { return false }
    do throws(ExclusionError) {
      let (ticket, isGranted) = try exclusion.request(for: record, details)
      let isWanted = change(&others, &task) { state, effects in
        effects.hasFreeTask = effects.hasFreeTask && !isGranted
        let isWanted = state.received(ticket, granted: isGranted, for: record.id, inTask: inTask, &effects)
        state.useFreeTask(&effects)
        return isWanted
      }
      if !isWanted {
        exclusion.release(ticket, &task)
        use(&task)
      }
      if !isGranted { exclusion.detector.waitBegan() }
      return isWanted && isGranted
    } catch {
      let name = record.name
      finish(record, change(&others, &task) { settle(record, .failed(error), name, &$0, &$1) })
      return false
    }
  }

  /// Requests an operation's ticket, and then the tickets of operations that get a place as a result.
  func requestTickets(from first: OperationRecord) {
    var next: OperationRecord? = first
    var line: [OperationRecord] = []
    var noTask = FreeTask()
    while let record = next {
      var others = Few<OperationRecord>()
      requestTicket(for: record, inTask: false, &others, &noTask)
      others.forEach { line.append($0) }
      next = line.isEmpty ? nil : line.removeFirst()
    }
  }

  /// Handles a ticket that was granted after a wait. The exclusion scheduler calls this method without holding its own
  /// lock.
  ///
  /// - Parameter position: The ticket's position. If the operation has to return this ticket, it requests the
  ///   same position for its next ticket.
  /// - Returns: False if the ticket must be released, because the operation cannot use it now.
  func ticketGranted(
    _ ticket: SlotID, position: UInt64, to record: OperationRecord, _ task: inout FreeTask
  ) -> Bool {
    change(&task) { state, effects in
      let isWanted = state.granted(ticket, for: record.id, &effects)
      if state.needsPlace(record.id) { record.details?.keepPosition(position) }
      return isWanted
    }
  }

  /// Takes back the ticket of an operation that is waiting for a place. Returns false if the operation has no
  /// ticket or is not waiting for a place.
  func giveTicketBack(of record: OperationRecord) -> Bool {
    change { $0.giveTicketBack(record.id, &$1) }
  }

  /// Returns the ticket of an operation; `nil` if the operation needs no category or has ended.
  @inline(never)
  func ticket(of record: OperationRecord) -> SlotID? {
    guard let details = record.details, !details.categories.isEmpty else { return nil }
    return state.withLock { $0.ticket(of: record.id) }
  }
}

// MARK: - Reports from an operation's tasks

extension OperationQueue {
  /// Returns the part of an operation that the calling task must run. Must be called when the task begins.
  @inline(never)
  func begin(_ record: OperationRecord) -> State.Next {
    let beneficiary = record.details?.remedyFor
    return change { state, effects in
      let isWanted = beneficiary.map { state.slots.contains($0) } ?? true
      return state.begin(record.id, isWanted: isWanted, &effects)
    }
  }

  /// Continues with an operation whose conditions hold, perhaps thanks to their remedies. Returns true if the calling
  /// task must also evaluate the conditions for the last time. Otherwise, another operation can use that task.
  func goOnAfterLooks(_ record: OperationRecord, _ task: inout FreeTask) -> Bool {
    switch change({ $0.looked(record.id, &$1) }) {
    case .leave, .look, .execute:
      use(&task)
      return false
    case .lastLook: return true
    case .ask: return requestTicketInTask(for: record, &task)
    }
  }

  private func requestTicketInTask(for record: OperationRecord, _ task: inout FreeTask) -> Bool {
    var others = Few<OperationRecord>()
    let goesOn = requestTicket(for: record, inTask: true, &others, &task)
    others.forEach { requestTickets(from: $0) }
    return goesOn
  }

  /// Hands a free task over to an operation that waits for a task.
  private func use(_ task: inout FreeTask) {
    guard task.isFree else { return }
    change(&task) { $0.useFreeTask(&$1) }
  }

  /// The right of an operation to execute, with its ticket if it needs categories.
  struct Turn: Sendable {
    let ticket: SlotID?
  }

  /// Marks an operation as executing after the last evaluation of its conditions has succeeded. Returns `nil` if the
  /// operation must not execute, because it has ended, or because it is a remedy for an operation that has ended.
  @inline(never)
  func startExecuting(_ record: OperationRecord) -> Turn? {
    let beneficiary = record.details?.remedyFor
    return change { state, effects in
      let isWanted = beneficiary.map { state.slots.contains($0) } ?? true
      guard isWanted, state.startExecuting(record.id, &effects) else { return nil }
      return Turn(ticket: state.ticket(of: record.id))
    }
  }
}

// MARK: - Ending

extension OperationQueue {
  func cancel(_ record: OperationRecord) { stop(record, .cancelled) { $0.stop(record.id, &$1) } }

  func fail(_ record: OperationRecord, with error: any Error) {
    stop(record, .failed(error)) { $0.stop(record.id, &$1) }
  }

  func deadlinePassed(_ alarm: DeadlineTimer.Alarm) {
    let error = DeadlineError.exceeded(alarm.kind, after: alarm.limit)
    stop(alarm.record, .failed(error)) { $0.deadlinePassed(alarm.kind, for: alarm.record.id, &$1) }
  }

  /// Stops an operation. The queue's lock is held while the phase is read and the operation is stopped, so
  /// that the operation cannot begin in between.
  private func stop(
    _ record: OperationRecord, _ ending: OperationEnding,
    _ look: (inout State, inout Effects) -> State.Stop
  ) {
    let name = record.name
    var cancelsWork = false
    let last = change { state, effects -> LastWord? in
      switch look(&state, &effects) {
      case .tooLate: return nil
      case .end: return settle(record, ending, name, &state, &effects)
      case .cancelWork:
        record.condemn(to: ending)
        cancelsWork = true
        return nil
      }
    }
    if cancelsWork { record.cancelTask() }
    finish(record, last)
  }

  /// Ends an operation, unless it has already ended.
  func end(_ record: OperationRecord, _ ending: OperationEnding) {
    var noTask = FreeTask()
    end(record, ending, &noTask)
  }

  /// Ends an operation from within its own task. If the task is free, another operation can continue in it.
  @inline(never)
  func end(_ record: OperationRecord, _ ending: OperationEnding, _ task: inout FreeTask) {
    let name = record.name
    let last = change(&task) { settle(record, ending, name, &$0, &$1) }
    finish(record, last)
  }

  /// Removes an operation from the state and sets its outcome. The lock must be held. Returns `nil` if the
  /// operation has already ended.
  private func settle(
    _ record: OperationRecord, _ ending: OperationEnding, _ name: String,
    _ state: inout State, _ effects: inout Effects
  ) -> LastWord? {
    guard let departure = state.end(record.id, &effects) else { return nil }
    // If a ticket will be released, the task is kept for an operation that the release might unblock.
    if effects.releases.isEmpty { state.useFreeTask(&effects) }
    let work = record.settle(ending, name: name, history: departure.history)
    return LastWord(work: work, isWatched: departure.isWatched, isIdle: state.count == 0)
  }

  /// Does the work that remains after an operation has been removed from the state. The lock must not be held.
  private func finish(_ record: OperationRecord, _ last: LastWord?) {
    guard let last else { return }
    if record.details?.isAwaited ?? false { exclusion.detector.childEnded(record) }
    if !last.isWatched { record.announce() }
    if last.isIdle { resumeIdleWaiters() }
  }

  /// The information that `finish` needs about an operation that has ended.
  private struct LastWord: Sendable {
    /// The operation's work, which is stored here so that it is released outside of the lock.
    let work: (any Operation)?
    /// Whether the operation's mailbox announces the outcome, after all observers have been notified of it.
    let isWatched: Bool
    let isIdle: Bool
  }
}

extension Array {
  /// Returns both arrays as one. If either array is empty, returns the other one without creating a new array.
  fileprivate func followed(by others: [Element]) -> [Element] {
    if isEmpty { return others }
    return others.isEmpty ? self : self + others
  }
}

extension QueueState.Traits {
  init(_ admission: Admission, _ details: OperationDetails?) {
    priority = admission.priority
    isChild = admission.isChild
    guard let details else { return }
    hasConditions = details.needsLooks
    hasCategories = !details.categories.isEmpty
    wantsOutcomes = hasConditions && !admission.dependencies.isEmpty
  }
}
