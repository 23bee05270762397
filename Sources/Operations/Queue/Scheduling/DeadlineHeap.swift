/// Deadlines, ordered by time: a value. Adding and removing one takes logarithmic time.
struct DeadlineHeap<Item: Sendable>: Sendable {
  /// The identity of a deadline.
  typealias ID = UInt64

  private struct Entry {
    let time: Duration
    let id: ID

    static func < (left: Entry, right: Entry) -> Bool {
      left.time == right.time ? left.id < right.id : left.time < right.time
    }
  }

  private var heap: [Entry] = []
  private var items: [ID: Item] = [:]
  private var lastID: ID = 0

  /// The time of the next deadline.
  var nextTime: Duration? { heap.first?.time }

  mutating func insert(_ item: Item, at time: Duration) -> ID {
    lastID += 1
    items[lastID] = item
    heap.append(Entry(time: time, id: lastID))
    siftUp(heap.count - 1)
    return lastID
  }

  /// Removes a deadline, unless it has passed.
  mutating func remove(_ id: ID) {
    items[id] = nil
    if heap.count > 2 * items.count + 16 { compact() }
    dropRemoved()
  }

  /// Removes and returns all that have passed at a time, in order.
  mutating func popPassed(at now: Duration) -> [Item] {
    var passed: [Item] = []
    while let first = heap.first, first.time <= now {
      removeFirst()
      if let item = items.removeValue(forKey: first.id) { passed.append(item) }
    }
    dropRemoved()
    return passed
  }

  private mutating func dropRemoved() {
    while let first = heap.first, items[first.id] == nil { removeFirst() }
  }

  /// Rebuilds the heap without removed deadlines, so that far deadlines of finished operations cost nothing.
  private mutating func compact() {
    heap = heap.filter { items[$0.id] != nil }.sorted(by: <)
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
      guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[parent] else { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
