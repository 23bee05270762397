import Machine
import Testing

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

  @Test("is equal by its value, and so is its hash")
  func equality() {
    struct Named: Hashable {
      @CopyOnWrite var names: [String]
    }
    let (one, two) = (Named(names: ["one"]), Named(names: ["one"]))
    #expect(one == two && Set([one, two]).count == 1)
    #expect(one != Named(names: ["two"]))
  }
}
