import Testing

@testable import PermTUI

@Suite("A boxed property")
struct BoxedTests {
  private struct Pair {
    @CopyOnWrite var names = ["one"]
  }

  @Test("changes in one copy only")
  func copies() {
    let first = Pair()
    var second = first
    second.names.append("two")
    #expect(first.names == ["one"])
    var third = second
    third.names[0] = "three"
    #expect(second.names == ["one", "two"])
    #expect(third.names == ["three", "two"])
  }
}
