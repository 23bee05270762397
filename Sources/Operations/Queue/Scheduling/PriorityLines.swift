/// A line for each priority. Higher ones go first, but the head of a lower one is passed `patience` times at most.
struct PriorityLines: Sendable {
  static let patience = 16

  private struct Line {
    var slots = SlotLine()
    var passed = 0
  }

  private var lines = [Line](repeating: Line(), count: OperationPriority.allCases.count)
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append<Element: LineElement>(
    _ index: UInt32, priority: OperationPriority, in slots: inout SlotMap<Element>
  ) {
    count += 1
    lines[Int(priority.rawValue)].slots.append(index, in: &slots)
  }

  mutating func remove<Element: LineElement>(
    _ index: UInt32, priority: OperationPriority, in slots: inout SlotMap<Element>
  ) {
    count -= 1
    lines[Int(priority.rawValue)].slots.remove(index, in: &slots)
  }

  mutating func popFirst<Element: LineElement>(in slots: inout SlotMap<Element>) -> UInt32? {
    guard count > 0 else { return nil }
    count -= 1
    let chosen = choose()
    lines[chosen].passed = 0
    return lines[chosen].slots.popFirst(in: &slots)
  }

  /// Returns the highest priority that has a waiter, unless a lower one has been passed too often.
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
