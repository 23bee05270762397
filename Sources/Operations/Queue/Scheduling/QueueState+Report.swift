// A report of a queue's state.

extension QueueState {
  func history(of id: SlotID) -> EventHistory? {
    slots.contains(id) ? slots[id.index].history : nil
  }

  /// Has an operation's steps reported from now on, and returns the past ones; `nil` if it has ended.
  mutating func watch(_ id: SlotID) -> EventHistory? {
    guard slots.contains(id) else { return nil }
    slots[id.index].traits.isWatched = true
    return slots[id.index].history
  }

  /// All operations that have not ended, in the order of their slots.
  var items: [Item] {
    (0..<slots.endIndex).compactMap { slots.id(at: $0) == nil ? nil : slots[$0].item }
  }

  /// Returns an operation's public state; `nil` if it has ended.
  func publicState(of id: SlotID) -> OperationState? {
    guard slots.contains(id) else { return nil }
    switch slots[id.index].phase {
    case .blocked: return .waitingForDependencies
    case .held, .waitingForPlace: return .waitingForTurn
    case .waitingForTask, .launched:
      return slots[id.index].isBeforeLooks ? .evaluatingConditions : .waitingForTurn
    case .asking, .inLine: return .waitingForExclusion
    case .looking, .lastLook: return .evaluatingConditions
    case .executing: return .executing
    }
  }
}

extension QueueState {
  /// The operations that wait for a place in a queue at its maximum width, and those that have one.
  struct Crowd: Sendable {
    /// The waiters, each with the number of turns that it has missed, which distinguishes one wait from a later one.
    var waiters: [(item: Item, turnsMissed: UInt8)] = []
    var holders: [Item] = []
    /// The number of holders that must leave before a waiter can have a place.
    var missing = 1
  }

  /// `nil` if no operation waits for another to leave its place. Takes time proportional to the number of operations.
  var crowd: Crowd? {
    guard !isSuspended, !waitingForPlace.isEmpty || !waitingAgain.isEmpty else { return nil }
    var crowd = Crowd(missing: max(1, placesTaken - width + 1))
    for index in occupied {
      guard let item = slots[index].item else { continue }
      if slots[index].hasPlace { crowd.holders.append(item) }
      if slots[index].phase == .waitingForPlace {
        crowd.waiters.append((item, slots[index].turnsMissed))
      }
    }
    return crowd
  }
}

/// The reason why an operation waits.
enum Situation<Item: Sendable>: Sendable {
  case dependencies([Item])
  case suspended
  case width(Int)
  case task
  case conditions
  case exclusion(ticket: SlotID?)
  case executing
}

extension QueueState {
  /// Returns the reason why an operation waits; `nil` if it has ended. Takes time proportional to the number of
  /// dependencies in the queue.
  func situation(of id: SlotID) -> Situation<Item>? {
    guard slots.contains(id) else { return nil }
    switch slots[id.index].phase {
    case .blocked: return .dependencies(dependencies(of: id))
    case .held: return .suspended
    case .waitingForPlace: return isSuspended ? .suspended : .width(width)
    case .waitingForTask, .launched: return .task
    case .looking, .lastLook: return .conditions
    case .asking, .inLine:
      return .exclusion(ticket: slots[id.index].ticket == .none ? nil : slots[id.index].ticket)
    case .executing: return .executing
    }
  }

  private func dependencies(of id: SlotID) -> [Item] {
    occupied.compactMap { index in
      slots[index].dependents.contains(id) ? slots[index].item : nil
    }
  }

  /// Each operation with one that it waits for.
  var dependencies: [(who: Item, whom: Item)] {
    var pairs: [(who: Item, whom: Item)] = []
    for index in occupied {
      guard let whom = slots[index].item else { continue }
      slots[index].dependents.forEach { target in
        guard slots.contains(target), let who = slots[target.index].item else { return }
        pairs.append((who, whom))
      }
    }
    return pairs
  }

  fileprivate var occupied: some Sequence<UInt32> {
    (0..<slots.endIndex).lazy.filter { slots.id(at: $0) != nil }
  }
}

extension QueueState.Slot {
  fileprivate var isBeforeLooks: Bool { traits.hasConditions && !hasLooked }
}
