// Reports about a queue's state.

extension QueueState {
  func history(of id: SlotID) -> EventHistory? {
    slots.contains(id) ? slots[id.index].history : nil
  }

  /// Starts to report an operation's steps, and returns its past steps. Returns `nil` if the operation has ended.
  mutating func watch(_ id: SlotID) -> EventHistory? {
    guard slots.contains(id) else { return nil }
    slots[id.index].traits.isWatched = true
    return slots[id.index].history
  }

  /// All operations that have not ended, in the order of their slots.
  var items: [Item] { occupied.compactMap { slots[$0].item } }

  /// Returns an operation's public state; `nil` if the operation has ended.
  func publicState(of id: SlotID) -> OperationState? {
    guard slots.contains(id) else { return nil }
    switch slots[id.index].phase {
    case .blocked: return .waitingForDependencies
    case .held, .waitingForPlace: return .waitingForTurn
    case .waitingForTask, .launched:
      let isBeforeLooks = slots[id.index].traits.hasConditions && !slots[id.index].hasLooked
      return isBeforeLooks ? .evaluatingConditions : .waitingForTurn
    case .asking, .inLine: return .waitingForExclusion
    case .looking, .lastLook: return .evaluatingConditions
    case .executing: return .executing
    }
  }
}

extension QueueState {
  /// The operations that wait for a place in a full queue, and the operations that have a place.
  struct Crowd: Sendable {
    /// The waiting operations, each with the number of turns that it has missed. This number distinguishes a
    /// wait from a later wait of the same operation.
    var waiters: [(item: Item, turnsMissed: UInt8)] = []
    var holders: [Item] = []
    /// The number of holders that must give up their places before a waiting operation can have one.
    var missing = 1
  }

  /// The operations that wait for a place, and those that have one. `nil` if no operation waits for a place,
  /// or if the queue is suspended. Takes time proportional to the number of operations.
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

extension QueueState {
  /// The facts that explain why an operation waits.
  struct Situation: Sendable {
    let phase: Phase
    let ticket: SlotID
    let dependencies: [Item]
    let isSuspended: Bool
    let width: Int
  }

  /// Returns the facts that explain why an operation waits; `nil` if the operation has ended. Takes time
  /// proportional to the number of dependencies in the queue.
  func situation(of id: SlotID) -> Situation? {
    guard slots.contains(id) else { return nil }
    let (phase, ticket) = (slots[id.index].phase, slots[id.index].ticket)
    return Situation(
      phase: phase, ticket: ticket, dependencies: phase == .blocked ? dependencies(of: id) : [],
      isSuspended: isSuspended, width: width)
  }

  private func dependencies(of id: SlotID) -> [Item] {
    occupied.compactMap { index in
      slots[index].dependents.contains(id) ? slots[index].item : nil
    }
  }

  /// Each waiting operation, paired with each dependency that it waits for.
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
