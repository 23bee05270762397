// How operations end.

extension QueueState {
  /// What an operation leaves behind.
  struct Departure: Sendable {
    let history: EventHistory
    let isWatched: Bool
  }

  /// Takes an operation out, with whatever it holds; `nil` if it has ended before: the first outcome counts.
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
    case .waitingForPlace where slots[index].ticket != .none: waitingWithTicket.remove(index, in: &slots)
    case .waitingForPlace: waitingForPlace.remove(index, priority: priority, in: &slots)
    case .waitingForTask: waitingForTask.remove(index, priority: priority, in: &slots)
    default: break
    }
  }

  /// Notes that an executing operation shall end; false if it can end at once because it does not execute.
  mutating func requestCancel(_ id: SlotID, _ effects: inout QueueEffects<Item>) -> Bool {
    guard slots.contains(id), slots[id.index].phase == .executing else { return false }
    guard !slots[id.index].isCancelRequested else { return true }
    slots[id.index].isCancelRequested = true
    tell(id.index, .cancelRequested, &effects)
    return true
  }

  /// What follows from a deadline.
  enum Lateness: Sendable {
    /// Nothing: the operation has got further meanwhile.
    case tooLate
    /// It ends now, because it does not execute.
    case end
    /// Its work is cancelled, and it ends when that does.
    case cancelWork
  }

  mutating func deadlinePassed(_ kind: Deadlines.Kind, for id: SlotID) -> Lateness {
    guard slots.contains(id) else { return .tooLate }
    switch (kind, slots[id.index].phase) {
    case (.dependencies, .blocked), (.human, .looking), (.exclusion, .asking), (.exclusion, .inLine):
      return .end
    case (.execution, .executing):
      return .cancelWork
    default:
      return .tooLate
    }
  }
}
