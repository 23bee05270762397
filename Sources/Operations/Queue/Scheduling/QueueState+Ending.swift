// The end of operations.

extension QueueState {
  /// The remains of an operation that has left the queue.
  struct Departure: Sendable {
    let history: EventHistory
    let isWatched: Bool
  }

  /// Removes an operation with all that it holds; returns `nil` if it has ended before, because the first outcome
  /// counts.
  mutating func end(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Departure? {
    guard slots.contains(id), let item = slots[id.index].item else { return nil }
    leaveLine(id.index)
    tell(id.index, .ended, &effects)
    let ticket = slots[id.index].ticket
    if ticket != .none { effects.releases.append(ticket) }
    let departure = Departure(history: slots[id.index].history, isWatched: slots[id.index].traits.isWatched)
    leavePlace(id.index)
    let dependents = slots[id.index].dependents
    slots.remove(id)
    dependents.forEach { dependent in
      guard slots.contains(dependent) else { return }
      if slots[dependent.index].traits.wantsOutcomes, let other = slots[dependent.index].item {
        effects.news.append((other, of: item))
      }
      dependencyEnded(dependent.index, &effects)
    }
    fillPlaces(&effects)
    return departure
  }

  private mutating func leaveLine(_ index: UInt32) {
    let priority = slots[index].traits.priority
    switch slots[index].phase {
    case .held: held.remove(index, in: &slots)
    case .waitingForPlace where slots[index].turnsMissed > 0: waitingAgain.remove(index, in: &slots)
    case .waitingForPlace: waitingForPlace.remove(index, priority: priority, in: &slots)
    case .waitingForTask: waitingForTask.remove(index, priority: priority, in: &slots)
    default: break
    }
  }

  /// The result of stopping an operation.
  enum Stop: Sendable {
    /// The stop has no effect: the operation has ended, or has passed the phase that the deadline limits.
    case tooLate
    /// It does not execute, so it ends now.
    case end
    /// Its work is cancelled, and it ends when its work does.
    case cancelWork
  }

  /// Determines the result of stopping an operation, and records the request if the operation executes.
  mutating func stop(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Stop {
    guard slots.contains(id) else { return .tooLate }
    guard slots[id.index].phase == .executing else { return .end }
    if !slots[id.index].isCancelRequested {
      slots[id.index].isCancelRequested = true
      tell(id.index, .cancelRequested, &effects)
    }
    return .cancelWork
  }

  mutating func deadlinePassed(
    _ kind: Deadlines.Kind, for id: SlotID, _ effects: inout QueueEffects<Item>
  ) -> Stop {
    guard slots.contains(id) else { return .tooLate }
    switch (kind, slots[id.index].phase) {
    case (.dependencies, .blocked), (.human, .looking), (.exclusion, .asking), (.exclusion, .inLine),
      (.execution, .executing):
      return stop(id, &effects)
    default: return .tooLate
    }
  }

  /// Whether an operation was asked to end while it executed.
  func isCancelRequested(_ id: SlotID) -> Bool { slots.contains(id) && slots[id.index].isCancelRequested }
}
