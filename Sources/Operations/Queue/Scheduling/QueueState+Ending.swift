// Ending and stopping operations.

extension QueueState {
  /// The facts about an operation that has ended.
  struct Departure {
    let history: EventHistory
    let isWatched: Bool
    /// The ticket that must be released; `SlotID.none` if the operation had none.
    let ticket: SlotID
  }

  /// Removes an operation, and everything that it holds but its ticket. Returns `nil` if the operation has already
  /// ended, because only the first outcome is valid.
  mutating func end(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Departure? {
    guard slots.contains(id), let item = slots[id.index].item else { return nil }
    leaveLine(id.index)
    tell(id.index, .ended, &effects)
    let departure = Departure(
      history: slots[id.index].history, isWatched: slots[id.index].traits.isWatched,
      ticket: slots[id.index].ticket)
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

  /// The effect of stopping an operation.
  enum Stop: Sendable {
    /// Stopping has no effect, because the operation has ended or is past the phase that the deadline is for.
    case tooLate
    /// The operation is not executing, so it ends now.
    case end
    /// The operation is executing. Its work is cancelled, and the operation ends when the work ends.
    case cancelWork
  }

  /// Determines the effect of stopping an operation. If the operation is executing, also records the request
  /// to stop it.
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

  /// Returns whether an operation was asked to end while it was executing.
  func isCancelRequested(_ id: SlotID) -> Bool { slots.contains(id) && slots[id.index].isCancelRequested }
}
