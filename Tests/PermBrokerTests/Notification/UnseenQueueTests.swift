import PermModel
import Testing

@testable import PermBroker

@Suite("When the person is told that something waits")
struct UnseenQueueTests {
  private let a = Alert.ID("a")
  private let b = Alert.ID("b")
  private var queue = UnseenQueue()

  @Test("The alert that has waited longest without a key press counts, from the moment it came")
  mutating func longest() {
    #expect(queue.longestUnseen == nil)
    queue.update([a], at: .seconds(1))
    queue.update([a, b], at: .seconds(3))
    #expect(queue.longestUnseen?.id == a && queue.longestUnseen?.since == .seconds(1))
    queue.update([b], at: .seconds(4))
    #expect(queue.longestUnseen?.id == b && queue.longestUnseen?.since == .seconds(3))
  }

  @Test("A key press means that all that waits was seen, and what comes later was not")
  mutating func look() {
    queue.update([a], at: .seconds(1))
    queue.look(at: .seconds(2))
    #expect(queue.longestUnseen == nil)
    queue.update([a, b], at: .seconds(3))
    #expect(queue.longestUnseen?.id == b)
  }

  @Test("The person is told once, until nothing waits any more")
  mutating func once() {
    queue.update([a], at: .seconds(1))
    queue.tell()
    queue.update([a, b], at: .seconds(2))
    queue.update([b], at: .seconds(3))
    #expect(queue.longestUnseen == nil)
    queue.update([], at: .seconds(4))
    queue.update([b], at: .seconds(5))
    #expect(queue.longestUnseen?.since == .seconds(5))
  }
}
