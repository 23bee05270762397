import Operations
import Testing

@Suite("Wait strategies")
struct WaitStrategyTests {
  @Test(
    "Each strategy waits as its name says",
    arguments: [
      (WaitStrategy.immediate, [0, 0, 0, 0, 0, 0]),
      (.constant(.seconds(2)), [2, 2, 2, 2, 2, 2]),
      (.incrementing(from: .seconds(1), by: .seconds(3)), [1, 4, 7, 10, 13, 16]),
      (.exponential(from: .seconds(1)), [1, 2, 4, 8, 16, 32]),
      (.fibonacci(.seconds(1)), [0, 1, 1, 2, 3, 5]),
      (.fibonacci(.seconds(1)).capped(at: .seconds(2)), [0, 1, 1, 2, 2, 2]),
      (.exponential(from: .seconds(3)).capped(at: .seconds(10)), [3, 6, 10, 10, 10, 10]),
      (.incrementing(from: .seconds(2), by: .seconds(-1)), [2, 1, 0, 0, 0, 0]),
      (.constant(.seconds(-5)), [0, 0, 0, 0, 0, 0]),
    ] as [(WaitStrategy, [Int])])
  func waits(strategy: WaitStrategy, seconds: [Int]) {
    #expect(Array(strategy.waits().prefix(6)) == seconds.map { .seconds($0) })
  }

  @Test(
    "However long it goes on, no strategy waits longer than the longest wait or overflows",
    arguments: [
      WaitStrategy.exponential(from: .seconds(1)), .fibonacci(.seconds(7)),
      .incrementing(from: .zero, by: .seconds(Int64.max)), .constant(.seconds(Int64.max)),
    ])
  func longest(strategy: WaitStrategy) {
    let waits = Array(strategy.waits().prefix(1_000))
    #expect(waits.last == WaitStrategy.longest)
  }

  @Test("Random waits stay in their range and follow the generator that was given")
  func random() {
    let range = Duration.milliseconds(100)...Duration.milliseconds(300)
    let strategy = WaitStrategy.random(in: range, using: Dice(state: 7))
    let waits = Array(strategy.waits().prefix(100))
    #expect(waits.allSatisfy(range.contains))
    #expect(Set(waits).count > 90)
    #expect(Array(strategy.waits().prefix(100)) == waits)
    #expect(Array(WaitStrategy.random(in: range, using: Dice(state: 8)).waits().prefix(100)) != waits)
  }

  @Test("A strategy can be used again, from its first wait")
  func again() {
    let strategy = WaitStrategy.exponential(from: .seconds(1))
    #expect(Array(strategy.waits().prefix(3)) == Array(strategy.waits().prefix(3)))
  }
}
