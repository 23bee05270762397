struct LineLinks: Sendable {
  var previous = UInt32.max
  var next = UInt32.max
}

protocol LineElement: SlotElement {
  var links: LineLinks { get set }
}

/// A first-in, first-out line of slots. Any slot can leave the line in constant time, even from the middle.
///
/// Each slot stores the links to its neighbours. A slot can therefore be in only one line at a time, and joining a line
/// allocates no memory.
struct SlotLine: Sendable {
  private static var none: UInt32 { .max }
  private var head = none
  private var tail = none

  var isEmpty: Bool { head == Self.none }

  mutating func append(_ index: UInt32, in slots: inout SlotMap<some LineElement>) {
    slots[index].links = LineLinks(previous: tail, next: Self.none)
    if tail == Self.none { head = index } else { slots[tail].links.next = index }
    tail = index
  }

  mutating func remove(_ index: UInt32, in slots: inout SlotMap<some LineElement>) {
    let links = slots[index].links
    if links.previous == Self.none {
      head = links.next
    } else {
      slots[links.previous].links.next = links.next
    }
    if links.next == Self.none {
      tail = links.previous
    } else {
      slots[links.next].links.previous = links.previous
    }
    slots[index].links = LineLinks()
  }

  mutating func popFirst(in slots: inout SlotMap<some LineElement>) -> UInt32? {
    guard head != Self.none else { return nil }
    let index = head
    remove(index, in: &slots)
    return index
  }
}
