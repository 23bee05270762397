import Testing

@testable import PermModel

@Suite("The waiting requests that were decoded")
struct DecodedRequestsTests {
  private let requests = DecodedRequests()

  /// Reads texts, and returns those that were decoded.
  private func read(_ texts: String...) -> [String] {
    var decoded: [String] = []
    var reading = DecodedRequests.Reading(requests)
    for text in texts {
      let request = reading.request(text) { text in
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
    #expect(read("one", "two") == ["one", "two"])
    #expect(read("one", "two", "three") == ["three"])
    #expect(read("three") == [])
    #expect(read("one", "three") == ["one"])
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
