// The path of operations through the queue: each one gets a place, then a ticket, then a task.

extension QueueState {
  /// Lets an operation continue to its next task or ticket, or makes it wait for a place.
  mutating func admit(_ index: UInt32, _ effects: inout QueueEffects<Item>) {
    let traits = slots[index].traits
    if traits.hasConditions && !slots[index].hasLooked {
      if isSuspended && !traits.isChild {
        slots[index].phase = .held
        held.append(index, in: &slots)
      } else {
        launch(index, &effects)
      }
    } else if takePlace(index) {
      goOn(index, &effects)
    } else {
      waitForPlace(index, &effects)
    }
  }

  /// Gives an operation one of the queue's places if one is free and the queue is not suspended. Returns whether the
  /// operation now has a place or, as a child, does not need one.
  mutating func takePlace(_ index: UInt32) -> Bool {
    if slots[index].traits.isChild { return true }
    guard !isSuspended, placesTaken < width else { return false }
    placesTaken += 1
    slots[index].hasPlace = true
    return true
  }

  mutating func waitForPlace(_ index: UInt32, _ effects: inout QueueEffects<Item>) {
    slots[index].phase = .waitingForPlace
    if slots[index].turnsMissed > 0 {
      waitingAgain.append(index, in: &slots)
    } else {
      waitingForPlace.append(index, priority: slots[index].traits.priority, in: &slots)
    }
    effects.hasNewWait = true
    tell(index, .waitingForTurn, &effects)
  }

  mutating func leavePlace(_ index: UInt32) {
    guard slots[index].hasPlace else { return }
    slots[index].hasPlace = false
    placesTaken -= 1
  }

  /// Continues with an operation that has a place. Launches the operation if it has a ticket or needs none. Otherwise,
  /// requests its ticket.
  private mutating func goOn(_ index: UInt32, _ effects: inout QueueEffects<Item>) {
    let needsTicket = slots[index].traits.hasCategories && slots[index].ticket == .none
    guard needsTicket, let item = slots[index].item else {
      return launch(index, &effects)
    }
    slots[index].phase = .asking
    effects.requests.append(item)
  }

  /// Begins an operation's next part in the free task, or creates a task for it, or makes it wait for one.
  private mutating func launch(_ index: UInt32, _ effects: inout QueueEffects<Item>) {
    guard effects.hasFreeTask || unbegun < Self.launchWindow, let item = slots[index].item else {
      slots[index].phase = .waitingForTask
      return waitingForTask.append(index, priority: slots[index].traits.priority, in: &slots)
    }
    slots[index].phase = .launched
    if effects.hasFreeTask {
      effects.hasFreeTask = false
      effects.successor = (item, run(index, &effects))
    } else {
      unbegun += 1
      effects.launches.append(item)
    }
  }

  /// Hands a free task over to the next operation that waits for a task.
  mutating func useFreeTask(_ effects: inout QueueEffects<Item>) {
    guard effects.hasFreeTask, let index = waitingForTask.popFirst(in: &slots) else { return }
    launch(index, &effects)
  }

  /// Gives free places to the operations that wait for a place.
  mutating func fillPlaces(_ effects: inout QueueEffects<Item>) {
    guard !isSuspended, !waitingForPlace.isEmpty || !waitingAgain.isEmpty else { return }
    while placesTaken < width,
      let index = waitingAgain.popFirst(in: &slots) ?? waitingForPlace.popFirst(in: &slots)
    {
      placesTaken += 1
      slots[index].hasPlace = true
      goOn(index, &effects)
    }
  }

  mutating func setSuspended(_ suspended: Bool, _ effects: inout QueueEffects<Item>) {
    isSuspended = suspended
    guard !suspended else { return giveTicketsBack(&effects) }
    while let index = held.popFirst(in: &slots) { launch(index, &effects) }
    fillPlaces(&effects)
  }

  mutating func setWidth(_ newWidth: Int, _ effects: inout QueueEffects<Item>) {
    width = max(1, newWidth)
    fillPlaces(&effects)
  }
}

// MARK: - Tasks and tickets

extension QueueState {
  /// The part of an operation that a task must run next.
  enum Part: Equatable, Sendable {
    /// The task has nothing left to do, because the operation has ended or another task will continue with it.
    case leave
    case look
    case ask
    case lastLook
    /// - Parameter ticket: The ticket for the operation's categories; `SlotID.none` if it needs none.
    case execute(ticket: SlotID)
  }

  /// Makes space in the launch window, and returns the part of an operation that the calling task must run.
  /// Each new task calls this method before it does anything else.
  mutating func begin(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Part {
    unbegun -= 1
    if unbegun < Self.launchWindow, let index = waitingForTask.popFirst(in: &slots) {
      launch(index, &effects)
    }
    guard slots.contains(id), slots[id.index].phase == .launched else { return .leave }
    return run(id.index, &effects)
  }

  private mutating func run(_ index: UInt32, _ effects: inout QueueEffects<Item>) -> Part {
    guard isWanted(index) else { return .leave }
    guard slots[index].traits.hasConditions else { return execute(index, &effects) }
    if slots[index].hasLooked {
      slots[index].phase = .lastLook
      return .lastLook
    }
    slots[index].phase = .looking
    tell(index, .evaluating, &effects)
    return .look
  }

  private mutating func execute(_ index: UInt32, _ effects: inout QueueEffects<Item>) -> Part {
    slots[index].phase = .executing
    tell(index, .executing, &effects)
    return .execute(ticket: slots[index].ticket)
  }

  /// Returns false if the operation is a remedy that must not run, because the operation that it is for has ended.
  private func isWanted(_ index: UInt32) -> Bool {
    let other = slots[index].traits.remedyFor
    return other == .none || slots.contains(other)
  }

  /// Continues with an operation whose conditions all hold, perhaps thanks to their remedies. The calling task
  /// continues with the operation unless the operation has to wait.
  mutating func looked(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Part {
    guard slots.contains(id), slots[id.index].phase == .looking else { return .leave }
    slots[id.index].hasLooked = true
    guard takePlace(id.index) else {
      waitForPlace(id.index, &effects)
      return .leave
    }
    slots[id.index].phase = slots[id.index].traits.hasCategories ? .asking : .lastLook
    return slots[id.index].traits.hasCategories ? .ask : .lastLook
  }

  /// Stores a ticket that was requested. Returns false if the ticket must be released, for instance because
  /// the operation has ended in the meantime.
  ///
  /// If the operation's own task requested the ticket, and the ticket was granted immediately, that task continues with
  /// the operation.
  mutating func received(
    _ ticket: SlotID, granted: Bool, for id: SlotID, inTask: Bool, _ effects: inout QueueEffects<Item>
  ) -> Bool {
    guard slots.contains(id) else { return false }
    guard slots[id.index].phase == .asking else { return slots[id.index].ticket == ticket }
    slots[id.index].ticket = ticket
    if !granted {
      slots[id.index].phase = .inLine
      tell(id.index, .waitingForExclusion, &effects)
      // A waiting operation gives up its place, so that another operation can run.
      leavePlace(id.index)
      fillPlaces(&effects)
    } else if inTask {
      slots[id.index].phase = .lastLook
    } else {
      launch(id.index, &effects)
    }
    return true
  }

  /// Continues with an operation whose ticket was granted after waiting. Returns false if the ticket must be
  /// released, because the operation has ended in the meantime or cannot get a place.
  ///
  /// An operation that has a ticket but no place would make others wait needlessly. Therefore, it returns its ticket,
  /// and requests it again when it has a place. It does so at most `patience` times. While the queue is suspended,
  /// there is no limit.
  mutating func granted(_ ticket: SlotID, for id: SlotID, _ effects: inout QueueEffects<Item>) -> Bool {
    guard slots.contains(id) else { return false }
    guard slots[id.index].phase == .inLine || slots[id.index].phase == .asking else {
      return slots[id.index].ticket == ticket
    }
    if slots[id.index].hasPlace || takePlace(id.index) {
      slots[id.index].ticket = ticket
      launch(id.index, &effects)
      return true
    }
    let keepsTicket = !isSuspended && slots[id.index].turnsMissed >= Self.patience
    slots[id.index].ticket = keepsTicket ? ticket : .none
    if slots[id.index].turnsMissed < .max { slots[id.index].turnsMissed += 1 }
    waitForPlace(id.index, &effects)
    return keepsTicket
  }

  func needsPlace(_ id: SlotID) -> Bool { slots.contains(id) && slots[id.index].phase == .waitingForPlace }

  /// Takes back the ticket of an operation that is waiting for a place. Returns false if the operation has no
  /// ticket or is not waiting for a place.
  mutating func giveTicketBack(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Bool {
    guard needsPlace(id), slots[id.index].ticket != .none else { return false }
    effects.releases.append(slots[id.index].ticket)
    slots[id.index].ticket = .none
    return true
  }

  private mutating func giveTicketsBack(_ effects: inout QueueEffects<Item>) {
    var line = SlotLine()
    while let index = waitingAgain.popFirst(in: &slots) {
      if let id = slots.id(at: index) { _ = giveTicketBack(id, &effects) }
      line.append(index, in: &slots)
    }
    waitingAgain = line
  }

  /// Marks an operation as executing after the last evaluation of its conditions has succeeded. Tells the task to leave it
  /// if the operation must not execute: it has ended, or it is a remedy for an operation that has ended.
  mutating func startExecuting(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Part {
    guard slots.contains(id), slots[id.index].phase == .lastLook, isWanted(id.index) else { return .leave }
    return execute(id.index, &effects)
  }
}
