/// The position of a value in a slot map, together with the generation that identifies the value.
///
/// A slot is reused after its value has been removed. The generation distinguishes the later value from the
/// earlier one.
struct SlotID: Hashable, Sendable {
  let index: UInt32
  /// The generation of the slot while it holds the value. The generation of an occupied slot is odd.
  let generation: UInt32

  /// An ID that no slot ever has.
  static let none = SlotID(index: .max, generation: 0)
}

extension SlotID {
  var packed: UInt64 { UInt64(index) << 32 | UInt64(generation) }

  init(packed: UInt64) {
    self.init(index: UInt32(truncatingIfNeeded: packed >> 32), generation: UInt32(truncatingIfNeeded: packed))
  }
}

protocol SlotElement: Sendable {
  /// Creates the content of an empty slot. This content must not keep other objects alive.
  init()
}

/// A map that stores values in slots, each of which has an index. Values refer to one another by index instead of by
/// reference, so releasing the whole map never recurses.
///
/// Adding, removing and looking up a value take constant time.
struct SlotMap<Element: SlotElement>: Sendable {
  private struct Entry {
    /// The slot's generation, which is odd while the slot is in use.
    var generation: UInt32
    var nextFree: UInt32
    var element: Element
  }

  private static var none: UInt32 { .max }
  private var entries: [Entry] = []
  private var firstFree = none
  private(set) var count = 0

  /// The index that follows the highest index that was ever used.
  var endIndex: UInt32 { UInt32(entries.count) }

  /// The ID that the next `insert` returns.
  var nextID: SlotID {
    guard firstFree != Self.none else { return SlotID(index: endIndex, generation: 1) }
    return SlotID(index: firstFree, generation: entries[Int(firstFree)].generation &+ 1)
  }

  @discardableResult
  mutating func insert(_ element: consuming Element) -> SlotID {
    let id = nextID
    count += 1
    if firstFree == Self.none {
      entries.append(Entry(generation: id.generation, nextFree: Self.none, element: element))
    } else {
      firstFree = entries[Int(id.index)].nextFree
      entries[Int(id.index)].generation = id.generation
      entries[Int(id.index)].element = element
    }
    return id
  }

  /// Removes the value with this ID, unless it has already been removed.
  mutating func remove(_ id: SlotID) {
    guard contains(id) else { return }
    entries[Int(id.index)] = Entry(generation: id.generation &+ 1, nextFree: firstFree, element: Element())
    firstFree = id.index
    count -= 1
  }

  func contains(_ id: SlotID) -> Bool {
    Int(id.index) < entries.count && entries[Int(id.index)].generation == id.generation
  }

  /// Returns the ID of the value at an index; `nil` if the slot is empty.
  func id(at index: UInt32) -> SlotID? {
    guard Int(index) < entries.count else { return nil }
    let generation = entries[Int(index)].generation
    return generation & 1 == 1 ? SlotID(index: index, generation: generation) : nil
  }

  subscript(index: UInt32) -> Element {
    _read { yield entries[Int(index)].element }
    _modify { yield &entries[Int(index)].element }
  }
}
