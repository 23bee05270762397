import Testing

@testable import Operations

@Suite("The heap of deadlines")
struct DeadlineHeapTests {
  @Test("Deadlines pass in the order of their times, and of setting at the same time")
  func order() {
    var heap = DeadlineHeap<String>()
    _ = heap.insert("late", at: .seconds(9))
    _ = heap.insert("first", at: .seconds(1))
    _ = heap.insert("same, first", at: .seconds(5))
    _ = heap.insert("same, second", at: .seconds(5))
    #expect(heap.nextTime == .seconds(1))
    #expect(heap.popPassed(at: .seconds(5)) == ["first", "same, first", "same, second"])
    #expect(heap.nextTime == .seconds(9))
  }

  @Test("A dropped deadline does not pass, and far ones that were dropped cost nothing")
  func dropping() {
    var heap = DeadlineHeap<Int>()
    let kept = heap.insert(-1, at: .seconds(10_000))
    for number in 0..<1_000 { heap.remove(heap.insert(number, at: .seconds(number))) }
    #expect(heap.nextTime == .seconds(10_000))
    heap.remove(kept)
    #expect(heap.nextTime == nil)
    #expect(heap.popPassed(at: .seconds(20_000)).isEmpty)
  }

  @Test("Random deadlines pass sorted", arguments: [UInt64.random(in: 0..<UInt64.max)])
  func random(seed: UInt64) {
    var random = Seeded(seed: seed)
    var heap = DeadlineHeap<Int>()
    var expected: [Int] = []
    for _ in 0..<500 {
      let time = Int.random(in: 0..<100, using: &random)
      let id = heap.insert(time, at: .seconds(time))
      if random.chance(30) { heap.remove(id) } else { expected.append(time) }
    }
    #expect(heap.popPassed(at: .seconds(100)) == expected.sorted(), "seed \(seed)")
  }
}
