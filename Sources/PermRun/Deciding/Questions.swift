/// The questions that wait for a person, each with the operations that wait for its answer.
struct Questions<Operation> {
  private var waiting: [FileUse: [Operation]] = [:]
  private var order: [FileUse] = []

  /// Adds an operation. Returns whether the question is new.
  mutating func add(_ operation: Operation, to use: FileUse) -> Bool {
    let isNew = waiting[use] == nil
    waiting[use, default: []].append(operation)
    if isNew { order.append(use) }
    return isNew
  }

  /// Removes the operations that fulfil a condition. A question without operations is withdrawn.
  mutating func remove(where isMeant: (Operation) -> Bool) -> [Operation] {
    var removed: [Operation] = []
    for use in order {
      removed += waiting[use, default: []].filter(isMeant)
      waiting[use]?.removeAll(where: isMeant)
      if waiting[use]?.isEmpty == true { end(use) }
    }
    return removed
  }

  /// Removes the questions that are answered by now, and returns the operations that waited for them, in the order in
  /// which they were asked.
  mutating func takeAnswered(_ ruling: (FileUse) -> Ruling) -> [Operation] {
    order.filter { ruling($0) != .open }.flatMap { use in
      defer { end(use) }
      return waiting[use, default: []]
    }
  }

  private mutating func end(_ use: FileUse) {
    waiting[use] = nil
    order.removeAll { $0 == use }
  }
}
