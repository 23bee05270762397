import Testing

@testable import Operations

@Suite("Slots")
struct SlotMapTests {
  private struct Element: LineElement {
    var value = ""
    var links = LineLinks()
  }

  @Test("A slot is used again under another identity")
  func reuse() {
    var slots = SlotMap<Element>()
    let first = slots.insert(Element(value: "first"))
    slots.remove(first)
    let second = slots.insert(Element(value: "second"))
    #expect(first.index == second.index)
    #expect(!slots.contains(first))
    #expect(slots.contains(second))
    #expect(slots[second.index].value == "second")
    #expect(slots.count == 1)
  }

  @Test("Removing what has left does nothing")
  func removedTwice() {
    var slots = SlotMap<Element>()
    let first = slots.insert(Element())
    slots.remove(first)
    slots.insert(Element())
    slots.remove(first)
    #expect(slots.count == 1)
  }

  @Test("The identity foreseen is the identity given")
  func nextID() {
    var slots = SlotMap<Element>()
    for round in 0..<10 {
      let foreseen = slots.nextID
      let given = slots.insert(Element())
      #expect(foreseen == given)
      if round % 3 == 0 { slots.remove(given) }
    }
  }

  @Test("Anyone can leave a line from the middle, and the others keep their order")
  func line() {
    var slots = SlotMap<Element>()
    var line = SlotLine()
    let ids = (0..<6).map { slots.insert(Element(value: "\($0)")) }
    for id in ids { line.append(id.index, in: &slots) }
    for index in [0, 3, 5] { line.remove(ids[index].index, in: &slots) }
    var left: [String] = []
    while let index = line.popFirst(in: &slots) { left.append(slots[index].value) }
    #expect(left == ["1", "2", "4"])
    #expect(line.isEmpty)
  }

  @Test("A higher priority goes first, but passes the first of a lower one a fixed number of times at most")
  func priorities() {
    var slots = SlotMap<Element>()
    var lines = PriorityLines()
    let low = slots.insert(Element(value: "low"))
    lines.append(low.index, priority: .low, in: &slots)
    for _ in 0..<40 { lines.append(slots.insert(Element(value: "high")).index, priority: .high, in: &slots) }
    var order: [String] = []
    while let index = lines.popFirst(in: &slots) { order.append(slots[index].value) }
    #expect(order.firstIndex(of: "low") == PriorityLines.patience)
    #expect(order.count == 41)
  }
}
