import PermModel
import Testing

@testable import PermBroker

@Suite("Requests that waited before the broker began")
struct InheritedRequestsTests {
  private func request(_ id: String, _ atom: String = "read") -> Request {
    Request(
      id: Request.ID(id), subject: Subject(label: "backup"), capability: "photos",
      atoms: [Atom("photos", atom)], askedAt: Timestamp(seconds: 1))
  }

  @Test("are known once, and only as what they were")
  func once() {
    let inherited = InheritedRequests()
    inherited.note([request("one"), request("two")])
    #expect(inherited.askedAt(Request.ID("one")) == Timestamp(seconds: 1))
    #expect(inherited.askedAt(Request.ID("three")) == nil)
    #expect(inherited.take(request("one")))
    #expect(!inherited.take(request("one")))
    #expect(!inherited.take(request("two", "add-only")))
    #expect(!inherited.take(request("three")))
  }
}
