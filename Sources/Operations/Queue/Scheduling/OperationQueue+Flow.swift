import Machine

// The life of one operation: adding, requesting its ticket, cancelling, ending.

extension OperationQueue {
  func insert<Added: Operation>(_ operation: Added, _ admission: Admission) -> OperationRecord {
    var admission = admission
    admission.dependencies = operation.dependencies.followed(by: admission.dependencies)
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
  ) -> (OperationRecord, QueueState<OperationRecord>.Traits) {
    let details = admission.details(for: operation.conditions.followed(by: admission.conditions))
    let mailbox = admission.mailbox(for: observers, operation.observers, timer)
    var traits = QueueState<OperationRecord>.Traits(admission, details)
    traits.isWatched = mailbox != nil
    return (OperationRecord(queue: self, work: operation, details: details, mailbox: mailbox), traits)
  }

  /// The path for children, operations with dependencies, and those with invalid options.
  private func insert(
    _ record: OperationRecord, _ traits: QueueState<OperationRecord>.Traits, _ admission: Admission
  ) {
    switch slots(of: admission.dependencies, for: admission) {
    case .failure(let flaw):
      change { state, _ in _ = insert(record, traits, into: &state) }
      end(record, .failed(flaw))
    case .success(let dependencies):
      insert(record, traits, admission, after: dependencies)
      if !dependencies.isEmpty { exclusion.detector.waitBegan() }
    }
  }

  private func insert(
    _ record: OperationRecord, _ traits: QueueState<OperationRecord>.Traits, _ admission: Admission,
    after dependencies: [SlotID]
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
    // It is not complete, so it cannot have begun.
    if !isWanted { end(record, .cancelled) }
  }

  /// Makes an operation wait for others. Its conditions learn of each dependency once, even if it is named twice.
  private func add(
    _ dependencies: [SlotID], to record: OperationRecord, _ admission: Admission,
    _ state: inout QueueState<OperationRecord>, _ effects: inout QueueEffects<OperationRecord>
  ) {
    let wantsOutcomes = state.slots[record.id.index].traits.wantsOutcomes
    var told: Set<SlotID> = []
    for (place, dependency) in dependencies.enumerated() {
      if wantsOutcomes && !told.insert(dependency).inserted { continue }
      if !state.addDependency(record.id, on: dependency) && wantsOutcomes {
        effects.news.append((record, of: admission.dependencies[place].reference.record))
      }
    }
  }

  private func insert(
    _ record: OperationRecord, _ traits: QueueState<OperationRecord>.Traits,
    into state: inout QueueState<OperationRecord>
  ) -> SlotID {
    let id = state.insert(record, traits)
    record.id = id
    if record.details?.isAwaited ?? false { exclusion.detector.childAdded(record) }
    return id
  }

  /// Returns the dependencies' slots in this queue's state, or the flaw in the options.
  private func slots(
    of dependencies: [any OperationDependency], for admission: Admission
  ) -> Result<[SlotID], any Error> {
    if let (kind, limit) = admission.options.deadlines.negative {
      return .failure(DeadlineError.negative(kind, limit))
    }
    if let parent = admission.parent, let error = cycle(of: dependencies, with: parent) {
      return .failure(error)
    }
    var slots: [SlotID] = []
    slots.reserveCapacity(dependencies.count)
    // A span avoids copies, and an ID keeps nothing alive. Copying a dependency out would cost more than everything
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

  /// Adds the remedy of a condition, unless the operation has ended. The remedy has the operation's own lease, if any,
  /// and its place if the operation is a child.
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
      // Recorded under the same lock, so that an operation which ends from now on cancels it.
      record.details?.startRemedy(OperationReference(record: added), ofConditionAt: place)
      state.complete(id, &effects)
      return true
    }
    return isWanted ? OperationReference(record: added) : nil
  }
}

// MARK: - Tickets

extension OperationQueue {
  /// Requests the ticket of an operation; returns true if it was granted at once and the operation has not ended
  /// meanwhile.
  ///
  /// - Parameter others: Receives the operations that are to request theirs next, because this one does not need its
  /// place now.
  @discardableResult
  private func requestTicket(
    for record: OperationRecord, inTask: Bool, _ others: inout Few<OperationRecord>
  ) -> Bool {
    guard let details = record.details else { return false }
    switch exclusion.request(for: record, details) {
    case .failure(let error):
      let name = record.name
      finish(record, change(&others) { settle(record, .failed(error), name, &$0, &$1) })
      return false
    case .success(let answer):
      let isWanted = change(&others) {
        $0.received(answer.ticket, granted: answer.isGranted, for: record.id, inTask: inTask, &$1)
      }
      if !isWanted { exclusion.release(answer.ticket) }
      if !answer.isGranted { exclusion.detector.waitBegan() }
      return isWanted && answer.isGranted
    }
  }

  /// Requests the ticket of an operation, and then those of the operations that get its place.
  func requestTickets(from first: OperationRecord) {
    var next: OperationRecord? = first
    var line: [OperationRecord] = []
    while let record = next {
      var others = Few<OperationRecord>()
      requestTicket(for: record, inTask: false, &others)
      others.forEach { line.append($0) }
      next = line.isEmpty ? nil : line.removeFirst()
    }
  }

  /// Called by the exclusion scheduler, outside its lock, when a ticket is granted after waiting.
  ///
  /// - Parameter position: The ticket's position. An operation that has to return the ticket asks for the same position
  ///   again.
  /// - Returns: False if the ticket must be released.
  func ticketGranted(
    _ ticket: SlotID, position: UInt64, to record: OperationRecord, _ task: inout FreeTask
  ) -> Bool {
    change(&task) { state, effects in
      let isWanted = state.granted(ticket, for: record.id, &effects)
      if state.needsPlace(record.id) { record.details?.keepPosition(position) }
      return isWanted
    }
  }

  /// Makes an operation that waits for a place return its ticket; returns false if it has none.
  func giveTicketBack(of record: OperationRecord) -> Bool {
    change { $0.giveTicketBack(record.id, &$1) }
  }

  /// The ticket that an operation holds.
  @inline(never)
  func ticket(of record: OperationRecord) -> SlotID? {
    guard let details = record.details, !details.categories.isEmpty else { return nil }
    return state.withLock { $0.slots.contains(record.id) ? $0.slots[record.id.index].ticket : nil }
  }
}

// MARK: - Reports of its tasks

extension OperationQueue {
  /// Returns the next part of an operation, for a task that begins.
  @inline(never)
  func begin(_ record: OperationRecord) -> QueueState<OperationRecord>.Next {
    let beneficiary = record.details?.remedyFor
    return change { state, effects in
      let isWanted = beneficiary.map { state.slots.contains($0) } ?? true
      return state.begin(record.id, isWanted: isWanted, &effects)
    }
  }

  /// Called when the first look and the remedies succeeded; returns true if the task continues with the last look
  /// itself.
  func goOnAfterLooks(_ record: OperationRecord) -> Bool {
    switch change({ $0.looked(record.id, &$1) }) {
    case .leave, .look, .execute: false
    case .lastLook: true
    case .ask: requestTicketInTask(for: record)
    }
  }

  private func requestTicketInTask(for record: OperationRecord) -> Bool {
    var others = Few<OperationRecord>()
    let isGranted = requestTicket(for: record, inTask: true, &others)
    others.forEach { requestTickets(from: $0) }
    return isGranted
  }

  /// Hands a free task over to an operation that waits for one.
  func use(_ task: inout FreeTask) {
    guard task.isFree else { return }
    change(&task) { $0.useFreeTask(&$1) }
  }

  /// Called when the last look succeeded; returns false if the operation has ended.
  @inline(never)
  func startExecuting(_ record: OperationRecord) -> Bool {
    let beneficiary = record.details?.remedyFor
    return change { state, effects in
      let isWanted = beneficiary.map { state.slots.contains($0) } ?? true
      return isWanted && state.startExecuting(record.id, &effects)
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

  /// Stops an operation. The lock is held from the look at its phase until it is stopped, so that it cannot begin in
  /// between.
  private func stop(
    _ record: OperationRecord, _ ending: OperationEnding,
    _ look: (inout QueueState<OperationRecord>, inout QueueEffects<OperationRecord>) ->
      QueueState<OperationRecord>.Stop
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

  /// Ends an operation, or does nothing if it has ended before.
  func end(_ record: OperationRecord, _ ending: OperationEnding) {
    var noTask = FreeTask()
    end(record, ending, &noTask)
  }

  /// Ends an operation in its own task, which may then be free for another operation.
  @inline(never)
  func end(_ record: OperationRecord, _ ending: OperationEnding, _ task: inout FreeTask) {
    let name = record.name
    let last = change(&task) { settle(record, ending, name, &$0, &$1) }
    finish(record, last)
  }

  /// Takes an operation out of the state and sets its outcome, while the lock is held; returns `nil` if it has ended
  /// before.
  private func settle(
    _ record: OperationRecord, _ ending: OperationEnding, _ name: String,
    _ state: inout QueueState<OperationRecord>, _ effects: inout QueueEffects<OperationRecord>
  ) -> LastWord? {
    guard let departure = state.end(record.id, &effects) else { return nil }
    // An operation that a released ticket unblocks is the first to have the task.
    if effects.releases.isEmpty { state.useFreeTask(&effects) }
    let work = record.settle(ending, name: name, history: departure.history)
    return LastWord(work: work, isWatched: departure.isWatched, isIdle: state.count == 0)
  }

  /// Does the remaining work of an end, outside of the lock.
  private func finish(_ record: OperationRecord, _ last: LastWord?) {
    guard let last else { return }
    if record.details?.isAwaited ?? false { exclusion.detector.childEnded(record) }
    if !last.isWatched { record.announce() }
    if last.isIdle { resumeIdleWaiters() }
  }

  /// The work that remains when an operation has ended.
  private struct LastWord: Sendable {
    /// Released here, outside of the lock.
    let work: (any Operation)?
    /// Whether its mailbox announces the end, after all observers have seen it.
    let isWatched: Bool
    let isIdle: Bool
  }
}

extension Array {
  /// Returns both in one array, without a new one if either is empty.
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
