import Testing

@testable import PermModel

@Suite("The waiting requests that were decoded")
struct DecodedRequestsTests {
  private let requests = DecodedRequests()

  /// Reads rows with ids and texts, and returns the texts that were decoded.
  private func read(_ rows: KeyValuePairs<String, String>) -> [String] {
    var decoded: [String] = []
    var reading = DecodedRequests.Reading(requests)
    for (id, text) in rows {
      let request = reading.request(id, text) { text in
        decoded.append(text)
        return self.request(text)
      }
      #expect(request.id.text == text)
    }
    reading.end()
    return decoded
  }

  private func request(_ id: String, _ part: String = Atom.whole) -> Request {
    Request(
      id: Request.ID(id), subject: backup, capability: "photos", atoms: [Atom("photos", part)],
      askedAt: Timestamp(seconds: 1_750_000_000))
  }

  @Test("A request is decoded when its text is new, and again only after a reading without it")
  func once() {
    #expect(read(["1": "one", "2": "two"]) == ["one", "two"])
    #expect(read(["1": "one", "2": "two", "3": "three"]) == ["three"])
    #expect(read(["2": "changed", "3": "three"]) == ["changed"])
    #expect(read(["1": "one", "3": "three"]) == ["one"])
  }

  @Test("A text with other bytes is new, though the strings are equal")
  func bytes() {
    #expect("\u{e9}" == "e\u{301}")
    _ = read(["1": "\u{e9}"])
    #expect(read(["1": "e\u{301}"]).map { Array($0.utf8) } == [[0x65, 0xcc, 0x81]])
    // These two have the same length.
    #expect("\u{212b}" == "A\u{30a}")
    _ = read(["1": "\u{212b}"])
    #expect(read(["1": "A\u{30a}"]).map { Array($0.utf8) } == [[0x41, 0xcc, 0x8a]])
  }

  @Test("A request that was written again is read as it is now", arguments: StoreKind.allCases)
  func changed(_ kind: StoreKind) throws {
    let box = try kind.make()
    let store = box.store
    try store.open(request("one"))
    #expect(try store.waitingRequests().map(\.request) == [request("one")])
    let request = request("one", "changed")
    #expect(try store.write { rows in try rows.replace(request, at: store.environment.now()) })
    #expect(try store.waitingRequests().map(\.request) == [request])
    #expect(try store.waitingRequest(request.id)?.request == request)
    #expect(try store.waitingCount() == 1)
    #expect(try store.waitingRequest(Request.ID("two")) == nil)
  }
}
