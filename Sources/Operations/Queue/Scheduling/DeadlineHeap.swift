import HeapModule

/// A value type that stores deadlines, ordered by time. Adding or removing a deadline takes amortized logarithmic time.
struct DeadlineHeap<Item: Sendable>: Sendable {
  typealias ID = UInt64

  private struct Entry: Comparable {
    let time: Duration
    let id: ID

    static func < (left: Entry, right: Entry) -> Bool {
      left.time == right.time ? left.id < right.id : left.time < right.time
    }
  }

  private var heap = Heap<Entry>()
  private var items: [ID: Item] = [:]
  private var lastID: ID = 0

  var nextTime: Duration? { heap.min?.time }

  mutating func insert(_ item: Item, at time: Duration) -> ID {
    lastID += 1
    items[lastID] = item
    heap.insert(Entry(time: time, id: lastID))
    return lastID
  }

  /// Removes a deadline. Has no effect if `popPassed` has already removed the deadline.
  mutating func remove(_ id: ID) {
    items[id] = nil
    // Entries of removed deadlines must not accumulate, even if the deadlines are far in the future.
    if heap.count > 2 * items.count + 16 { heap = Heap(heap.unordered.filter { items[$0.id] != nil }) }
    dropRemoved()
  }

  /// Removes all deadlines that have passed at a given time, and returns their items in the order of the deadlines.
  mutating func popPassed(at now: Duration) -> [Item] {
    var passed: [Item] = []
    while let first = heap.min, first.time <= now {
      heap.removeMin()
      if let item = items.removeValue(forKey: first.id) { passed.append(item) }
    }
    dropRemoved()
    return passed
  }

  private mutating func dropRemoved() {
    while let first = heap.min, items[first.id] == nil { heap.removeMin() }
  }
}
