/// The lines of waiting operations, one for each priority. Lines of higher priority go first, but the first
/// operation in a line of lower priority is passed over at most `patience` times.
struct PriorityLines: Sendable {
  static let patience = 16

  private struct Line {
    var slots = SlotLine()
    var passed = 0
  }

  private var lines = [Line](repeating: Line(), count: OperationPriority.allCases.count)
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(
    _ index: UInt32, priority: OperationPriority, in slots: inout SlotMap<some LineElement>
  ) {
    count += 1
    lines[Int(priority.rawValue)].slots.append(index, in: &slots)
  }

  mutating func remove(
    _ index: UInt32, priority: OperationPriority, in slots: inout SlotMap<some LineElement>
  ) {
    count -= 1
    lines[Int(priority.rawValue)].slots.remove(index, in: &slots)
  }

  mutating func popFirst(in slots: inout SlotMap<some LineElement>) -> UInt32? {
    guard count > 0 else { return nil }
    count -= 1
    let chosen = choose()
    lines[chosen].passed = 0
    return lines[chosen].slots.popFirst(in: &slots)
  }

  /// Returns the index of the line that goes next: the non-empty line of the highest priority, or a line of lower
  /// priority that has been passed over too often.
  private mutating func choose() -> Int {
    var chosen = lines.count - 1
    while lines[chosen].slots.isEmpty { chosen -= 1 }
    let highest = chosen
    for lower in 0..<highest where !lines[lower].slots.isEmpty && lines[lower].passed >= Self.patience {
      chosen = lower
    }
    for lower in 0..<chosen where !lines[lower].slots.isEmpty { lines[lower].passed += 1 }
    return chosen
  }
}
