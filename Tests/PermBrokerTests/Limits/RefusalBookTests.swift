import PermModel
import Testing

@testable import PermBroker

@Suite("What was refused")
struct RefusalBookTests {
  private func refusal(_ label: String, inode: UInt64 = 1) -> AutomaticAnswer {
    var subject = Subject(label: label)
    subject.path = "/usr/bin/flood"
    subject.file = FileIdentity(inode: inode, birth: 1)
    return AutomaticAnswer(.deny, subject: subject, capability: "photos", atoms: [], reason: "too fast")
  }

  @Test("goes by the first name of the minute")
  func sums() {
    let book = RefusalBook()
    #expect(book.sum(refusal("a"), at: .zero).subject.label == "a")
    for number in 1...500 {
      #expect(book.sum(refusal("name-\(number)"), at: .milliseconds(number)).subject.label == "a")
    }
    #expect(book.sum(refusal("b"), at: .seconds(60)).subject.label == "b")
  }

  @Test("is told apart by program")
  func programs() {
    let book = RefusalBook()
    _ = book.sum(refusal("a"), at: .zero)
    #expect(book.sum(refusal("b", inode: 2), at: .milliseconds(1)).subject.label == "b")
  }
}

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
