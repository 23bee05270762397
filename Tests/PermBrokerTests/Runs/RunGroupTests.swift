import PermModel
import Testing

@testable import PermBroker

@Suite("A run asks about several files at once", .timeLimit(.minutes(5)))
struct RunGroupTests {
  private let paths = ["/home/ana/.gitconfig", "/home/ana/.config/git/ignore"]

  private func values(_ paths: [String]) throws -> [Wire.Value] {
    try paths.map { Wire.Value(part: "read", scope: try TestRun.value($0)) }
  }

  private func atoms(_ paths: [String]) throws -> [Atom] {
    try paths.map { Atom("files", "read", .path(try AbsolutePath($0))) }
  }

  /// Asks about the paths as one group, answers, and checks what the warden learns about each.
  private func expect(
    _ ends: [RunQuestion.End], after answer: @escaping @Sendable (TestBroker, RequestAlert) throws -> Void
  ) async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let values = try values(paths)
      _ = try await run.ask(paths[0]) { $0.values = values }
      if let alert = await test.presenter.nextRequest() { try answer(test, alert) }
      #expect(try await self.ends(run.nextReply()) == ends)
    }
  }

  private func ends(_ reply: Methods.Supervise.Reply) throws -> [RunQuestion.End] {
    try atoms(paths).map { RunQuestion.Answer(reply).end(of: $0, isAlone: false) }
  }

  @Test("One alert has all of them, and says when they are read; a yes allows each")
  func allowed() async throws {
    try await expect([.allowed, .allowed]) { test, alert in
      let asked = Set(try atoms(paths))
      #expect(alert.request.atoms == asked)
      let facts = RequestFacts(alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil)
      #expect(
        facts.all.contains { $0.heading == "Waits" && $0.text.hasPrefix("it reads these when it starts") })
      test.presenter.answer(.allow)
    }
  }

  @Test("A yes to one of them is no yes to the other")
  func narrowed() async throws {
    try await expect([.denied, .allowed]) { test, alert in
      let some = try #require(alert.choices.first { $0.atoms == [try atoms(paths)[1]] })
      test.presenter.answer(.answered(Answer(.allow, atoms: some.atoms, lifetime: .once)))
    }
  }

  @Test("A no denies each, and a dismissal none")
  func denied() async throws {
    try await expect([.denied, .denied]) { test, _ in test.presenter.answer(.deny) }
    try await expect([.unanswered, .unanswered]) { test, _ in test.presenter.answer(.dismissed) }
  }

  @Test("If one of them is denied by a decision, the answer is about the other one")
  func decided() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      try test.store.decide(
        Ruling(.deny, subject: run.subject, atoms: [try atoms(paths)[0]]), by: .commandLine)
      let values = try values(paths)
      _ = try await run.ask(paths[0]) { $0.values = values }
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.allow)
      #expect(try await ends(run.nextReply()) == [.denied, .allowed])
    }
  }
}
