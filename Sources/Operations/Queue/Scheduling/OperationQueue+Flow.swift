import Machine

// The life cycle of an operation: adding it, requesting its ticket, stopping it and ending it.

extension OperationQueue {
  func insert<Added: Operation>(_ operation: Added, _ admission: Admission) -> OperationRecord {
    let dependencies = operation.dependencies
    return dependencies.isEmpty
      ? insertPrepared(operation, admission) : insertPrepared(operation, admission.after(dependencies))
  }

  /// Inserts an operation whose own dependencies are already among those of the admission. Inlined, this would copy the
  /// admission.
  @inline(never)
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
    var traits = admission.traits(details)
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
  /// Requests the ticket for the categories of an operation that has a place but no task.
  ///
  /// - Parameter others: Receives the operations whose tickets must be requested next, because they just got a place.
  private func requestTicket(for record: OperationRecord, _ others: inout Few<OperationRecord>) {
    guard let details = record.details else { return }
    var noTask = FreeTask()
    do throws(ExclusionError) {
      let (ticket, isGranted) = try exclusion.request(for: record, details, at: exclusion.now())
      let isWanted = change(&others, &noTask) { state, effects in
        state.received(ticket, granted: isGranted, for: record.id, inTask: false, &effects)
      }
      if !isWanted { exclusion.release(ticket) }
      if !isGranted { exclusion.detector.waitBegan() }
    } catch {
      end(record, .failed(error))
    }
  }

  /// Requests an operation's ticket, and then the tickets of operations that get a place as a result.
  func requestTickets(from first: OperationRecord) {
    var next: OperationRecord? = first
    var line: [OperationRecord] = []
    while let record = next {
      var others = Few<OperationRecord>()
      requestTicket(for: record, &others)
      others.forEach { line.append($0) }
      next = line.isEmpty ? nil : line.removeFirst()
    }
  }

  /// Handles a ticket that was granted after a wait. The exclusion scheduler calls this method without holding its own
  /// lock.
  ///
  /// - Returns: False if the ticket must be released, because the operation cannot use it now.
  func ticketGranted(_ grant: ExclusionScheduler.Grant, _ task: inout FreeTask) -> Bool {
    change(&task) { accept(grant, &$0, &$1) }
  }

  private func accept(
    _ grant: ExclusionScheduler.Grant, _ state: inout State, _ effects: inout Effects
  ) -> Bool {
    let isUsed = state.granted(grant.ticket, for: grant.record.id, &effects)
    if state.needsPlace(grant.record.id) { grant.record.details?.keepPosition(grant.position) }
    return isUsed
  }

  /// Releases a ticket while the queue's lock is held, so that the next operation goes on without another one. Returns the
  /// grants to operations of other queues.
  private func passOn(
    _ ticket: SlotID, at now: Duration, _ state: inout State, _ effects: inout Effects
  ) -> Few<ExclusionScheduler.Grant> {
    var others = Few<ExclusionScheduler.Grant>()
    exclusion.takeBack(ticket, at: now).forEach { grant in
      if grant.record.queue !== self {
        others.append(grant)
      } else if !accept(grant, &state, &effects) {
        effects.releases.append(grant.ticket)
      }
    }
    return others
  }

  /// Returns the time for requesting or releasing an operation's ticket; zero if the operation needs no category. Must be
  /// called before the lock is taken, because the clock can be anybody's code.
  private func ticketTime(of record: OperationRecord) -> Duration {
    record.details?.categories.isEmpty ?? true ? .zero : exclusion.now()
  }

  /// Takes back the ticket of an operation that is waiting for a place. Returns false if the operation has no
  /// ticket or is not waiting for a place.
  func giveTicketBack(of record: OperationRecord) -> Bool {
    change { $0.giveTicketBack(record.id, &$1) }
  }
}

// MARK: - Reports from an operation's tasks

extension OperationQueue {
  /// Returns the part of an operation that the calling task must run. A new task calls this method before it does
  /// anything else.
  @inline(never)
  func begin(_ record: OperationRecord) -> State.Part { change { $0.begin(record.id, &$1) } }

  /// Continues with an operation whose conditions hold, perhaps thanks to their remedies. Returns true if the calling
  /// task must also evaluate the conditions for the last time. Otherwise, another operation can use that task.
  ///
  /// The ticket is requested while the queue's lock is held, so that most operations need the lock only once here. The
  /// exclusion scheduler never takes a queue's lock while it holds its own.
  func goOnAfterLooks(_ record: OperationRecord, _ task: inout FreeTask) -> Bool {
    let now = ticketTime(of: record)
    var others = Few<OperationRecord>()
    let step = change(&others, &task) { state, effects in
      // The task is free for others only if the operation does not go on in it.
      let isTaskFree = exchange(&effects.hasFreeTask, with: false)
      let step = stepAfterLooks(of: record, at: now, &state, &effects)
      effects.hasFreeTask = isTaskFree && step.leavesTask
      state.useFreeTask(&effects)
      return step
    }
    finish(step, of: record)
    others.forEach { requestTickets(from: $0) }
    return !step.leavesTask
  }

  /// The way in which an operation goes on after its conditions have been evaluated for the first time.
  private enum StepAfterLooks: Sendable {
    case goesOn
    case leaves
    /// The operation waits for its categories.
    case isInLine
    /// The operation fails, because its categories were refused.
    case isRefused(ExclusionError)

    var leavesTask: Bool { if case .goesOn = self { false } else { true } }
  }

  private func stepAfterLooks(
    of record: OperationRecord, at now: Duration, _ state: inout State, _ effects: inout Effects
  ) -> StepAfterLooks {
    switch state.looked(record.id, &effects) {
    case .leave, .look, .execute: return .leaves
    case .lastLook: return .goesOn
    case .ask: break
    }
    guard let details = record.details else { return .leaves }
    do throws(ExclusionError) {
      let (ticket, isGranted) = try exclusion.request(for: record, details, at: now)
      _ = state.received(ticket, granted: isGranted, for: record.id, inTask: true, &effects)
      return isGranted ? .goesOn : .isInLine
    } catch {
      return .isRefused(error)
    }
  }

  private func finish(_ step: StepAfterLooks, of record: OperationRecord) {
    switch step {
    case .goesOn, .leaves: return
    case .isInLine: exclusion.detector.waitBegan()
    case .isRefused(let error): end(record, .failed(error))
    }
  }

  /// Marks an operation as executing after the last evaluation of its conditions has succeeded. Tells the task to leave it
  /// if the operation must not execute, because it has ended, or because it is a remedy for an operation that has ended.
  @inline(never)
  func startExecuting(_ record: OperationRecord) -> State.Part {
    change { $0.startExecuting(record.id, &$1) }
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
    let now = ticketTime(of: record)
    var cancelsWork = false
    let last = change { state, effects -> LastWord? in
      switch look(&state, &effects) {
      case .tooLate: return nil
      case .end: return settle(record, ending, name, at: now, &state, &effects)
      case .cancelWork:
        record.condemn(to: ending)
        cancelsWork = true
        return nil
      }
    }
    if cancelsWork { record.cancelTask() }
    var noTask = FreeTask()
    finish(record, last, &noTask)
  }

  /// Ends an operation, unless it has already ended.
  func end(_ record: OperationRecord, _ ending: OperationEnding) {
    var noTask = FreeTask()
    end(record, ending, name: record.name, &noTask)
  }

  /// Ends an operation from within its own task. If the task is free, another operation can continue in it.
  ///
  /// - Parameter name: The name of the operation's work.
  @inline(never)
  func end(
    _ record: OperationRecord, _ ending: OperationEnding, name: String, _ task: inout FreeTask
  ) {
    let now = ticketTime(of: record)
    let last = change(&task) { settle(record, ending, name, at: now, &$0, &$1) }
    finish(record, last, &task)
  }

  /// Removes an operation from the state and sets its outcome. The lock must be held. Returns `nil` if the
  /// operation has already ended.
  private func settle(
    _ record: OperationRecord, _ ending: OperationEnding, _ name: String, at now: Duration,
    _ state: inout State, _ effects: inout Effects
  ) -> LastWord? {
    guard let departure = state.end(record.id, &effects) else { return nil }
    let grants = departure.ticket == .none ? Few() : passOn(departure.ticket, at: now, &state, &effects)
    // If an operation of another queue has got a ticket, the task is kept for it.
    if grants.isEmpty && effects.releases.isEmpty { state.useFreeTask(&effects) }
    let work = record.settle(ending, name: name, history: departure.history)
    return LastWord(work: work, grants: grants, isWatched: departure.isWatched, isIdle: state.count == 0)
  }

  /// Does the work that remains after an operation has been removed from the state. The lock must not be held.
  private func finish(_ record: OperationRecord, _ last: LastWord?, _ task: inout FreeTask) {
    guard let last else { return }
    exclusion.handOut(last.grants, &task)
    if record.details?.isAwaited ?? false { exclusion.detector.childEnded(record) }
    if !last.isWatched { record.announce() }
    if last.isIdle { resumeIdleWaiters() }
  }

  /// The information that `finish` needs about an operation that has ended.
  private struct LastWord: Sendable {
    /// The operation's work, which is stored here so that it is released outside of the lock.
    let work: (any Operation)?
    /// The tickets that operations of other queues have got.
    let grants: Few<ExclusionScheduler.Grant>
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
