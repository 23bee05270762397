import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("The id of a request is bound to what was asked under it", .timeLimit(.minutes(5)))
struct RequestIDTests {
  private typealias Ask = Methods.Request

  private static let id = String(repeating: "4d", count: 16)
  private let nice = Ask.Parameters(
    id: Self.id, capability: "deploy:staging", label: "nice", reason: "harmless")

  /// Requests that differ from `nice` in one respect each, with the file of the asking program.
  private static let swapped: [(what: String, parameters: Methods.Request.Parameters, file: String)] = [
    (
      "capability parts", .init(id: id, capability: "deploy:production", label: "nice", reason: "harmless"),
      "/nice.py"
    ),
    ("label", .init(id: id, capability: "deploy:staging", label: "evil", reason: "harmless"), "/nice.py"),
    ("reason", .init(id: id, capability: "deploy:staging", label: "nice", reason: "wipe it"), "/nice.py"),
    (
      "details",
      .init(
        id: id, capability: "deploy:staging", label: "nice", reason: "harmless",
        details: Wire.Details(text: "rm -r")), "/nice.py"
    ),
    ("no reason", .init(id: id, capability: "deploy:staging", label: "nice"), "/nice.py"),
    ("program", .init(id: id, capability: "deploy:staging", label: "nice", reason: "harmless"), "/evil.py"),
  ]

  /// Asks, waits until the alert is shown, and goes away.
  private func askAndLeave(_ test: TestBroker) async throws {
    test.see(TestBroker.program("/nice.py"))
    let client = try test.client()
    try await client.send(Ask.self, nice)
    _ = await test.presenter.next()
    await client.disconnect()
    for try await change in try test.store.changes(since: 0)
    where change.entries.contains(where: { $0.kind == .withdrawn }) { break }
  }

  @Test("Another request under an id is refused after its program has gone, and nobody is asked")
  func swappedAfterLeaving() async throws {
    for (what, parameters, file) in Self.swapped {
      try await withBroker { test in
        try await askAndLeave(test)
        test.see(TestBroker.program(file))
        let other = try test.client()
        try await other.send(Ask.self, parameters)
        await #expect(throws: BrokerError.self, "\(what)") { try await other.next(of: Ask.self) }
        #expect(try test.store.waitingRequests().isEmpty, "\(what)")
      }
    }
  }

  @Test("Another request under an id is refused by the next broker, which has only the store")
  func swappedAtNextBroker() async throws {
    for (what, parameters, file) in Self.swapped {
      let first = try TestBroker()
      first.see(TestBroker.program("/nice.py"))
      let client = try first.client()
      try await client.send(Ask.self, nice)
      _ = await first.presenter.next()
      await first.broker.stop()
      #expect(try first.store.waitingRequests().map(\.request.subject.label) == ["nice"])

      let second = try TestBroker(store: first.store)
      second.see(TestBroker.program(file))
      let other = try second.client()
      try await other.send(Ask.self, parameters)
      await #expect(throws: BrokerError.self, "\(what)") { try await other.next(of: Ask.self) }
      await second.broker.stop()
    }
  }

  @Test("The same request under an id that has ended gets the same end, and nobody is asked again")
  func sameEnd() async throws {
    let ends: [(AlertResponse, Ask.State)] = [
      (.answered(Answer(.allow, atoms: [Atom("deploy", "staging")])), .allowed),
      (.answered(Answer(.deny, atoms: [Atom("deploy", "staging")])), .denied), (.dismissed, .dismissed),
    ]
    for (response, state) in ends {
      try await withBroker { test in
        test.see(TestBroker.program("/nice.py"))
        async let reply = test.client().call(Ask.self, nice)
        _ = await test.presenter.next()
        test.presenter.answer(response)
        let first = try await reply
        #expect(first.state == state)
        let again = try test.client()
        try await again.send(Ask.self, nice)
        let second = try await again.next(of: Ask.self)
        #expect(second.state == state)
        #expect(try test.store.journal(JournalFilter(kinds: [.asked]), .newest(10)).count == 1)
      }
    }
  }

  @Test("An answer that was given in the store between two brokers is found")
  func answeredBetweenBrokers() async throws {
    let first = try TestBroker()
    first.see(TestBroker.program("/nice.py"))
    let client = try first.client()
    try await client.send(Ask.self, nice)
    _ = await first.presenter.next()
    await first.broker.stop()
    let answer = Answer(.allow, atoms: [Atom("deploy", "staging")])
    try first.store.answer(Request.ID(Self.id), answer, by: .commandLineAlone)

    let second = try TestBroker(store: first.store)
    second.see(TestBroker.program("/nice.py"))
    let again = try second.client()
    try await again.send(Ask.self, nice)
    let reply = try await again.next(of: Ask.self)
    #expect(reply.state == .allowed)
    #expect(try second.store.waitingRequests().isEmpty)
    await second.broker.stop()
  }

  @Test("Somebody who is refused does not keep the id from the program that it belongs to")
  func thief() async throws {
    let first = try TestBroker()
    first.see(TestBroker.program("/nice.py"))
    let client = try first.client()
    try await client.send(Ask.self, nice)
    _ = await first.presenter.next()
    await first.broker.stop()

    let second = try TestBroker(store: first.store)
    for _ in 0..<20 {
      second.see(TestBroker.program("/evil.py"))
      let thief = try second.client()
      await #expect(throws: BrokerError.self) { try await thief.call(Ask.self, nice) }
      second.see(TestBroker.program("/nice.py"))
    }
    let again = try second.client()
    try await again.send(Ask.self, nice)
    #expect(try await again.next(of: Ask.self).state == .waiting)
    await second.broker.stop()
  }
}
