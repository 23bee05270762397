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
    let ledger = AskingLedger { .zero }
    ledger.inherit([request("one"), request("two")])
    #expect(ledger.askedAt(Request.ID("one")) == Timestamp(seconds: 1))
    #expect(ledger.askedAt(Request.ID("three")) == nil)
    #expect(ledger.charge(for: request("one"))?.isInherited == true)
    for other in [request("one"), request("two", "add-only"), request("three")] {
      #expect(ledger.charge(for: other)?.isInherited == false)
    }
  }
}
