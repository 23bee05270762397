import Testing

@testable import PermModel

@Suite("Programs take turns")
final class TurnsTests {
  private var turns = Turns<String, Int>()

  @Test("One request of each program goes on, and the others of the same wait their turn")
  func onePerProgram() {
    #expect(begin(1, of: "flood"))
    #expect(!begin(2, of: "flood"))
    #expect(!begin(3, of: "flood"))
    #expect(begin(4, of: "backup"))
    #expect(end(1, of: "flood") == 2)
    #expect(end(2, of: "flood") == 3)
    #expect(end(3, of: "flood") == nil)
    #expect(begin(5, of: "flood"))
  }

  @Test("One that leaves the line is skipped and moves nobody")
  func leaving() {
    #expect(begin(1, of: "a"))
    #expect(!begin(2, of: "a"))
    #expect(!begin(3, of: "a"))
    #expect(end(2, of: "a") == nil)
    #expect(end(1, of: "a") == 3)
  }

  @Test("Ending twice gives nobody a second turn")
  func twice() {
    #expect(begin(1, of: "a"))
    #expect(!begin(2, of: "a"))
    #expect(!begin(3, of: "a"))
    #expect(end(1, of: "a") == 2)
    #expect(end(1, of: "a") == nil)
  }

  // The testing macros copy the value that a method is called on, so changes are made by methods of the suite.
  private func begin(_ item: Int, of program: String) -> Bool { turns.begin(item, of: program) }
  private func end(_ item: Int, of program: String) -> Int? { turns.end(item, of: program) }
}
