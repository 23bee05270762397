import PermModel
import Testing

@testable import PermBroker

@Suite("A program withdraws what was answered in it", .timeLimit(.minutes(5)))
struct WithdrawTests {
  private typealias Ask = Methods.Request

  /// Asks, and returns the client once its request waits.
  private func waiting(_ test: TestBroker, group: String? = nil, mark: String? = nil) async throws -> (
    client: TestClient, id: String
  ) {
    let client = try test.client()
    // Each has another label, so that none joins another.
    let number = try test.store.waitingRequests().count
    try await client.send(
      Ask.self, .init(capability: "deploy", label: "agent \(number)", group: group, mark: mark))
    return (client, try await client.next(of: Ask.self).id)
  }

  private func withdraw(
    _ test: TestBroker, id: String? = nil, group: String? = nil, mark: String? = nil
  ) async throws -> Int {
    try await test.client().call(Methods.Withdraw.self, .init(id: id, group: group, mark: mark)).count
  }

  @Test("By its id: the alert goes, the client and the journal are told why")
  func byID() async throws {
    try await withBroker { test in
      let (client, id) = try await waiting(test)
      _ = await test.presenter.next()
      #expect(try await withdraw(test, id: id) == 1)
      let end = try await client.end()
      #expect(end.state == .withdrawn)
      #expect(end.explanation == "answered in the agent")
      _ = await test.presenter.nextWithdrawn()
      let entry = try test.store.journal(JournalFilter(kinds: [.withdrawn]), .newest(1)).first
      #expect(entry?.text == "answered in the agent")
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("By group, with or without a mark")
  func byGroup() async throws {
    try await withBroker { test in
      let marked = try await waiting(test, group: "session", mark: "input 1")
      let other = try await waiting(test, group: "session", mark: "input 2")
      let elsewhere = try await waiting(test, group: "another")
      #expect(try await withdraw(test, group: "session", mark: "input 1") == 1)
      #expect(try await marked.client.end().state == .withdrawn)
      #expect(try await withdraw(test, group: "session") == 1)
      #expect(try await other.client.end().state == .withdrawn)
      #expect(try test.store.waitingRequests().map(\.id.text) == [elsewhere.id])
      await elsewhere.client.disconnect()
    }
  }

  @Test(
    "How a use ended is journalled once, for what was allowed here alone", arguments: [false, true])
  func uses(hasFailed: Bool) async throws {
    try await withBroker { test in
      func end(_ mark: String) async throws {
        let parameters = Methods.Withdraw.Parameters(
          group: "session", mark: mark, failed: hasFailed ? true : nil)
        #expect(try await test.client().call(Methods.Withdraw.self, parameters).count == 0)
      }
      func used() throws -> [JournalEntry] {
        try test.store.journal(JournalFilter(kinds: [.used]), .newer(than: 0, 9))
      }
      let (client, id) = try await waiting(test, group: "session", mark: "input 1")
      _ = try #require(await test.presenter.nextRequest())
      try await end("input 2")
      #expect(try used().isEmpty)
      test.presenter.answer(.allow)
      #expect(try await client.end().state == .allowed)
      try await end("input 1")
      try await end("input 1")
      #expect(try used().map(\.request?.text) == [id])
      #expect(try used().map(\.text) == [hasFailed ? "failed" : "done"])
    }
  }

  @Test("Another program, and another process of the same program, withdraw nothing")
  func others() async throws {
    try await withBroker { test in
      let (client, id) = try await waiting(test, group: "session")
      var sibling = TestBroker.program("/home/ana/bin/backup.sh")
      sibling.evidence.process.pid += 1
      for stranger in [TestBroker.program("/usr/bin/other"), sibling] {
        test.see(stranger)
        await #expect(throws: BrokerError.noSuchRequest(id)) { try await withdraw(test, id: id) }
        #expect(try await withdraw(test, group: "session") == 0)
      }
      #expect(try test.store.waitingRequests().map(\.id.text) == [id])
      await client.disconnect()
    }
  }

  @Test("An id and a group together, neither, and tags that are too long are refused")
  func malformed() async throws {
    try await withBroker { test in
      await #expect(throws: BrokerError.self) { try await withdraw(test) }
      await #expect(throws: BrokerError.self) { try await withdraw(test, id: "x", group: "y") }
      let long = String(repeating: "x", count: 129)
      await #expect(throws: BrokerError.self) {
        try await test.client().call(Ask.self, .init(capability: "deploy", group: long))
      }
    }
  }
}
