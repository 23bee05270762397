import Machine
import Testing

@Suite("The first result")
struct FirstResultTests {
  @Test("The closure is called once for each element, so its result need not stay the same")
  func once() {
    var calls: [Int] = []
    let found = [1, 2, 3].firstResult { number -> String? in
      calls.append(number)
      return number == 2 && calls.count == 2 ? "two" : nil
    }
    #expect(found == "two")
    #expect(calls == [1, 2])
    #expect([1, 3].firstResult { _ in String?.none } == nil)
  }
}
