import PermModel
import Testing

@testable import PermBroker

@Suite("A program asks for another one", .timeLimit(.minutes(5)))
struct VouchingTests {
  private func ask(_ test: TestBroker, _ program: String) async throws -> Methods.Request.Reply {
    try await test.client(.control).call(
      Methods.RequestFor.self, .init(program: program, capability: "deploy"))
  }

  @Test("The alert names the program that vouches, and a kept answer is for the app")
  func app() async throws {
    try await withBroker { test in
      async let first = ask(test, "app:org.example.Cam")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject == Subject(vouched: "app:org.example.Cam"))
      #expect(!alert.request.subject.isUnbound)
      let facts = RequestFacts(
        alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil)
      #expect(facts.all.contains { $0.text == "backup.sh says: org.example.Cam" })
      #expect(alert.lifetimes.first { $0.choice == .process }?.disabledReason != nil)
      test.presenter.answer(.allow, .forever)
      #expect(try await first.state == .allowed)
      #expect(try await ask(test, "app:org.example.Cam").state == .allowed)
      async let other = ask(test, "app:org.example.Mic")
      _ = await test.presenter.next()
      test.presenter.answer(.deny)
      #expect(try await other.state == .denied)
    }
  }

  @Test("An app without a name is answered once only")
  func nameless() async throws {
    try await withBroker { test in
      async let reply = ask(test, "app:")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.lifetimes.filter { $0.disabledReason == nil }.map(\.choice) == [.once])
      test.presenter.answer(.allow)
      #expect(try await reply.state == .allowed)
    }
  }

  @Test(
    "A program in any other form is refused",
    arguments: [
      "backup", "/usr/bin/backup", "app:a b", "app:x/y", "https://", "https://ana@example.org", "http://x",
      "https://example.org/path", "https://example.org:0", "https://EXAMPLE.org", "everyone", "*",
    ])
  func forms(_ program: String) async throws {
    try await withBroker { test in
      await #expect(throws: BrokerError.self) { try await ask(test, program) }
    }
  }

  @Test("No program can call itself so", arguments: ["app:org.example.Cam", "https://example.org", "APP:x"])
  func labels(_ label: String) async throws {
    try await withBroker { test in
      await #expect(throws: BrokerError.self) { try await test.ask(label: label) }
    }
  }

  @Test("A program with a request waiting cannot vouch; one that vouches may go on to do so")
  func asker() async throws {
    try await withBroker { test in
      test.seeAtControl(
        ControlCaller(lineage: [
          .init(identity: TestBroker.program("/home/ana/bin/backup.sh").evidence.process)
        ]))
      let vouching = try test.client(.control)
      try await vouching.send(Methods.RequestFor.self, .init(program: "app:one", capability: "deploy"))
      _ = try await vouching.next(of: Methods.RequestFor.self)
      let second = try test.client(.control)
      try await second.send(Methods.RequestFor.self, .init(program: "app:two", capability: "deploy"))
      #expect(try await second.next(of: Methods.RequestFor.self).state == .waiting)
      let asking = try test.client()
      try await asking.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      _ = try await asking.next(of: Methods.Request.self)
      await #expect(throws: BrokerError.self) { try await ask(test, "app:three") }
      for client in [vouching, second, asking] { await client.disconnect() }
    }
  }
}
