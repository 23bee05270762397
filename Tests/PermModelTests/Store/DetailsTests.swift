import Testing

@testable import PermModel

@Suite("Details of requests")
struct DetailsTests {
  @Test("A short text is shown whole, without the line break at its end")
  func short() {
    #expect(ShownDetails(shortening: "a\nb\n") == ShownDetails("a\nb"))
    let full = String(repeating: "x", count: ShownDetails.longest)
    #expect(ShownDetails(shortening: full) == ShownDetails(full))
  }

  @Test("Of a longer text, the first hundred lines are shown, and the others are counted")
  func long() {
    let lines = (1...512).map { "\($0) " + String(repeating: "x", count: 20) }
    let details = ShownDetails(shortening: lines.joined(separator: "\n") + "\n")
    #expect(details.text == lines[..<100].joined(separator: "\n"))
    #expect(details.linesLeftOut == 412)
  }

  @Test("Lines that are too long to be shown are left out, and a first line that is too long is cut")
  func longLines() {
    let lines = (1...5).map { _ in String(repeating: "é", count: 1500) }
    let details = ShownDetails(shortening: lines.joined(separator: "\n"))
    #expect(details.text == lines[..<2].joined(separator: "\n"))
    #expect(details.linesLeftOut == 3)
    let one = ShownDetails(shortening: "x" + String(repeating: "é", count: 9000))
    #expect(one.text.utf8.count == ShownDetails.longest - 1)
    #expect(one.linesLeftOut == 1)
  }

  @Test(
    "An id stays bound to the details, while the request waits and after its end",
    arguments: StoreKind.allCases)
  func binding(kind: StoreKind) throws {
    let test = try kind.make()
    func request(_ details: ShownDetails?) -> Request {
      Request(
        id: Request.ID("one"), subject: Subject(label: "a"), capability: "photos",
        atoms: [Atom("photos", "read")],
        askedAt: test.store.environment.now().wall, details: details)
    }
    let asked = request(ShownDetails("- a\n+ b"))
    _ = try test.store.open(asked)
    let others = [
      request(nil), request(ShownDetails("- a\n+ c")), request(ShownDetails("- a\n+ b", linesLeftOut: 1)),
    ]
    for other in others { #expect(throws: StoreError.self) { try test.store.state(of: other) } }
    _ = try test.store.answer(asked.id, Answer(.allow, atoms: asked.atoms), by: .commandLine)
    for other in others { #expect(throws: StoreError.self) { try test.store.state(of: other) } }
    guard case .ended = try test.store.state(of: asked) else {
      Issue.record("the same request gets the same end")
      return
    }
  }
}
