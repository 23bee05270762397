import PermModel
import Testing

@testable import PermBroker

@Suite("Patient requests wait instead of being refused", .timeLimit(.minutes(5)))
struct PatientRequestTests {
  private typealias Ask = Methods.Request

  private static var oneAtOnce: RequestLimits.Settings {
    var limits = RequestLimits.Settings()
    limits.program = .init(burst: 1, interval: .seconds(3600))
    return limits
  }

  private func ask(_ test: TestBroker, _ label: String, isPatient: Bool = true) async throws -> (
    client: TestClient, first: Ask.Reply
  ) {
    let client = try test.client()
    try await client.send(Ask.self, .init(capability: "deploy", label: label, patient: isPatient))
    return (client, try await client.next(of: Ask.self))
  }

  @Test("One that may not have an alert yet is listed, and can be answered there")
  func listed() async throws {
    try await withBroker(limits: Self.oneAtOnce) { test in
      let first = try await ask(test, "one")
      _ = await test.presenter.next()
      let (client, reply) = try await ask(test, "two")
      #expect(reply.state == .waiting)
      #expect(try test.store.waitingRequests().map(\.id.text) == [first.first.id, reply.id])
      await #expect(throws: BrokerError.self) { try await ask(test, "three", isPatient: false) }
      try await test.answer(reply.id, .init(verdict: .allow))
      #expect(try await client.end().state == .allowed)
      await first.client.disconnect()
    }
  }

  @Test(
    "It comes up when an answer has given a token back, in an alert or by its id", arguments: [true, false])
  func comesUp(isAlert: Bool) async throws {
    try await withBroker(limits: Self.oneAtOnce) { test in
      let first = try await ask(test, "one")
      _ = await test.presenter.next()
      let second = try await ask(test, "two")
      if isAlert {
        test.presenter.answer(.deny)
      } else {
        try await test.answer(first.first.id, .init(verdict: .deny))
      }
      #expect(try await first.client.end().state == .denied)
      #expect(await test.presenter.nextRequest()?.request.subject.label == "two")
      test.presenter.answer(.allow)
      #expect(try await second.client.end().state == .allowed)
    }
  }

  @Test("A flood of them is refused beyond three of a program, and one that ends makes room")
  func flood() async throws {
    try await withBroker(limits: Self.oneAtOnce) { test in
      var clients = [try await ask(test, "first").client]
      for number in 0..<3 { clients.append(try await ask(test, "patient \(number)").client) }
      for number in 3..<10 {
        await #expect(throws: BrokerError.self) { try await ask(test, "patient \(number)") }
      }
      #expect(try test.store.waitingRequests().count == 4)
      for client in clients { await client.disconnect() }
    }
  }

  @Test("A decision that is made meanwhile answers it")
  func decided() async throws {
    try await withBroker(limits: Self.oneAtOnce) { test in
      let first = try await ask(test, "one")
      let subject = try #require(await test.presenter.nextRequest()).request.subject
      let (client, _) = try await ask(test, "two")
      var second = subject
      second.label = "two"
      try test.store.decide(
        Ruling(.allow, subject: second, atoms: [Atom("deploy", "staging")]), by: .commandLine)
      #expect(try await client.end().state == .allowed)
      await first.client.disconnect()
    }
  }

  @Test("A program that copies itself gets no more places, and an agent has its own in each folder")
  func copies() async throws {
    try await withBroker(limits: Self.oneAtOnce) { test in
      var clients: [TestClient] = []
      for number in 0..<3 {
        test.see(TestBroker.program("/home/ana/bin/copy\(number)"))
        clients.append(try await ask(test, "first \(number)").client)
        clients.append(try await ask(test, "patient \(number)").client)
      }
      test.see(TestBroker.program("/home/ana/bin/copy3"))
      clients.append(try await ask(test, "first 3").client)
      await #expect(throws: BrokerError.self) { try await ask(test, "patient 3") }
      #expect(try test.store.waitingRequests().count == 7)
      for client in clients { await client.disconnect() }
    }
  }
}
