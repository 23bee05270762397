import PermModel
import Testing

@testable import PermBroker

@Suite("The rest of a run is denied", .timeLimit(.minutes(5)))
struct DenyRestTests {
  private func denyRest(_ alert: RequestAlert, at test: TestBroker) {
    var answer = Answer(.deny, atoms: alert.choices[0].atoms)
    answer.deniesRest = true
    test.presenter.answer(.answered(answer))
  }

  @Test(
    "What waits and what comes later is denied without an alert, but for what is decided, and in no other run"
  )
  func rest() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let other = try await TestRun(test, id: "second-run-0123456789") { $0.label = "other" }
      let known = Atom("files", "write", .path(try AbsolutePath("/home/ana/known")))
      try test.store.decide(Ruling(.allow, subject: run.subject, atoms: [known]), by: .commandLine)
      let first = try await run.ask("/home/ana/a.txt")
      let alert = try #require(await test.presenter.nextRequest())
      let second = try await run.ask("/home/ana/b.txt")
      denyRest(alert, at: test)
      #expect(try await run.nextReply().restDenied == true)
      var ends: [String?: Methods.Request.State?] = [:]
      for _ in 0..<2 {
        let (id, state) = try await run.next()
        ends[id] = state
      }
      #expect(ends == [first: .denied, second: .denied])
      let third = try await run.ask("/home/ana/c.txt")
      #expect(try await run.next() == (third, .denied))
      let allowed = try await run.ask("/home/ana/known")
      #expect(try await run.next() == (allowed, .allowed))
      #expect(try test.store.decisions().count == 1)
      let elsewhere = try await other.ask("/home/ana/c.txt")
      #expect(await test.presenter.next().id.text == elsewhere)
      test.presenter.answer(.allow)
      #expect(try await other.next() == (elsewhere, .allowed))
    }
  }

  @Test("It holds for requests at the socket inside, and at the next broker")
  func atSocket() async throws {
    try await withBroker { test in
      let run = try await TestRun(test) { $0.restDenied = true }
      let question = try await run.ask("/home/ana/a.txt")
      #expect(try await run.next() == (question, .denied))
      let reply = try await run.enter().call(
        Methods.Request.self,
        .init(capability: "files", values: [.init(part: "read", scope: try TestRun.value("/home/ana/b"))]))
      #expect(reply.state == .denied)
      #expect(reply.explanation?.contains("rest of its run") == true)
    }
  }

  @Test("Only a denial of what is asked behind walls can deny the rest, also at the socket `control`")
  func refused() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Methods.Request.self, .init(id: "0123456789abcdef", capability: "deploy"))
      _ = await test.presenter.next()
      await #expect(throws: BrokerError.self) {
        try await test.answer("0123456789abcdef", .init(verdict: .deny, rest: true))
      }
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
    try await withBroker { test in
      let run = try await TestRun(test)
      let question = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      await #expect(throws: BrokerError.self) {
        try await test.answer(question, .init(verdict: .allow, rest: true))
      }
      try await test.answer(question, .init(verdict: .deny, rest: true))
      #expect(try await run.nextReply().restDenied == true)
      #expect(try await run.next() == (question, .denied))
    }
  }
}
