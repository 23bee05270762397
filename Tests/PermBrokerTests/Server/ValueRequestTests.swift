import PermModel
import Testing

@testable import PermBroker

@Suite("Requests and decisions with values, at the broker", .timeLimit(.minutes(5)))
struct ValueRequestTests {
  private typealias Ask = Methods.Request

  private func scope(_ text: String, _ kind: Scope.Kind) throws -> ScopeFields {
    ScopeFields(try Scope(text, kind: kind))
  }

  @Test("Details reach the alert, as they were sent")
  func details() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(
        Ask.self, .init(capability: "deploy", details: Wire.Details(text: "- a\n+ b\u{202e}", more: 3)))
      guard case .request(let alert) = await test.presenter.next().content else {
        Issue.record("no request")
        return
      }
      #expect(alert.request.details == ShownDetails("- a\n+ b\u{202e}", linesLeftOut: 3))
      await client.disconnect()
    }
  }

  @Test("Details and values that are not fit are refused with a sentence, and nobody is asked")
  func refused() async throws {
    let path = try scope("/srv/a", .path)
    let many = try (0...32).map { Wire.Value(part: "read", scope: try scope("/srv/\($0)", .path)) }
    let wrong: [Ask.Parameters] = [
      .init(capability: "deploy", details: Wire.Details(text: String(repeating: "x", count: 8193))),
      .init(capability: "deploy", details: Wire.Details(text: "a\0b")),
      .init(capability: "deploy", details: Wire.Details(text: "a", more: -1)),
      .init(capability: "files", values: []), .init(capability: "files", values: many),
      .init(capability: "network", values: [Wire.Value(part: "connect", scope: path)]),
      .init(capability: "files", values: [Wire.Value(part: "raed", scope: path)]),
      .init(capability: "files:read@/srv/a", values: [Wire.Value(part: "read", scope: path)]),
      .init(capability: "files"), .init(capability: "files:read"),
      .init(capability: "environment", parts: ["read@"]),
      .init(capability: "environment", parts: ["read@a\0b"]),
      .init(capability: "environment", parts: ["read@" + String(repeating: "x", count: 257)]),
      .init(capability: "files:read@/srv/../etc/passwd"),
      .init(capability: "deploy", label: "Every0ne"),
    ]
    try await withBroker { test in
      for parameters in wrong {
        let client = try test.client()
        await #expect(throws: BrokerError.self, "\(parameters)") {
          try await client.call(Ask.self, parameters)
        }
      }
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("Several capabilities are decided in one change, and one may come alone as from earlier clients")
  func several() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      let capabilities = try Self.requirements("deploy", "files:read@/srv/a", "files:read@/srv/b")
      let reply = try await control.call(Methods.Deny.self, .init(program: "ci", capabilities: capabilities))
      #expect(reply.decisions.count == 3)
      _ = try await control.call(Methods.Deny.self, .init(program: "ci", capability: "teleport"))
      #expect(try test.store.decisions().count == 4)
      _ = try await control.call(
        Methods.Forget.self,
        .init(program: "ci", capability: "teleport", capabilities: [.init(capability: "files")]))
      #expect(try test.store.decisions().map(\.atom.capability) == ["deploy"])
      await #expect(throws: BrokerError.self) {
        try await control.call(Methods.Allow.self, .init(program: "ci"))
      }
      let misspelled = ["deploy", "delpoy"].map { Wire.Requirement(capability: $0) }
      await #expect(throws: BrokerError.self) {
        try await control.call(Methods.Allow.self, .init(program: "ci", capabilities: misspelled))
      }
      #expect(try test.store.decisions().map(\.atom.capability) == ["deploy"])
    }
  }

  @Test("A denial says how many allows it has taken back")
  func takenBack() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      let allowed = try Self.requirements("files:read@/srv/a", "files:read@/srv/b/", "files:read@/home/c")
      let reply = try await control.call(Methods.Allow.self, .init(program: "ci", capabilities: allowed))
      #expect(reply.takenBack == 0)
      let denial = try await control.call(
        Methods.Deny.self, .init(program: "ci", capabilities: Self.requirements("files:read@/srv/")))
      #expect(denial.takenBack == 2)
    }
  }

  @Test("A folder that is denied because of something inside it names that in the answer and the journal")
  func deniedInside() async throws {
    try await withBroker { test in
      let folder = try Scope("/srv/", kind: .path)
      let inside = Atom("files", "read", try Scope("/srv/x/key", kind: .path))
      try test.store.decide(Ruling(.deny, subject: .everyone, atoms: [inside]), by: .commandLine)
      let value = Wire.Value(part: "read", scope: ScopeFields(folder))
      let client = try test.client()
      let end = try await client.call(Ask.self, .init(capability: "files", values: [value]))
      #expect(end.state == .denied)
      #expect(end.explanation == "files:read@/srv/x/key, which is inside, was denied")
      test.broker.answers.write()
      let entry = try test.store.journal(JournalFilter(kinds: [.automatic]), .newest(1)).first
      #expect(entry?.text == end.explanation)
    }
  }

  @Test("A program that may write to a folder is told that the protected names in it are left out")
  func exception() async throws {
    try await withBroker { test in
      let folder = try Scope("/srv/", kind: .path)
      for part in ["write", "read"] {
        let client = try test.client()
        let value = Wire.Value(part: part, scope: ScopeFields(folder))
        try await client.send(Ask.self, .init(capability: "files", values: [value]))
        _ = try #require(await test.presenter.nextRequest())
        test.presenter.answer(.allow)
        let reply = try await client.end()
        #expect(reply.state == .allowed)
        #expect(reply.explanation?.contains("protected names") == (part == "write" ? true : nil))
      }
    }
  }

  @Test(
    "An alert about writing names a protected name in the folder, and one that is made later changes nothing"
  )
  func protectedNames() async throws {
    let place = try PathPlace()
    for name in ["file", ".envrc", ".gitconfig"] { try place.file(name) }
    try await withBroker { test in
      let scope = ScopeFields(place.scope("file"))
      for part in ["read", "write"] {
        let client = try test.client()
        try await client.send(
          Ask.self, .init(capability: "files", values: [Wire.Value(part: part, scope: scope)]))
        let alert = try #require(await test.presenter.nextRequest())
        let words = alert.covers.dropFirst().map(\.words)
        let names = part == "write" ? " but .gitconfig, 1 more and protected names deeper in it" : ""
        #expect(words == ["all of \(place.path)/\(names)"])
        let id = alert.request.id.text
        #expect(try await test.pending(id).content.covers == alert.covers)
        #expect(try await test.pending(id).request.facts == alert.request.facts)
        try place.folder(".vscode")
        test.presenter.answer(.allow)
        #expect(try await client.end().state == .allowed)
        try place.remove(".vscode")
      }
    }
  }

  @Test("A wider answer says beforehand how many others it answers, each by its own facts")
  func reach() throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    for (id, doubt) in [("b", nil), ("c", nil), ("d", "it is too slow")] as [(String, String?)] {
      let scope = try Scope("/srv/a/\(id)", kind: .path)
      var facts = ValueFacts()
      if let doubt { facts.paths = [PathFact(scope: scope, doubt: doubt)] }
      let request = Request(
        id: Request.ID(id), subject: Subject(label: "p"), capability: "files",
        atoms: [Atom("files", "read", scope)], askedAt: Timestamp(seconds: 0), facts: facts)
      try store.open(request)
    }
    let pending = try StoreControl(store, catalogue: .builtIn).pending()
    let alert = try #require(pending.first { $0.request.id.text == "b" }).content
    #expect(alert.reach == AnswerReach())
    #expect(alert.reach(cover: 1) == AnswerReach(allow: 1, deny: 2))
  }

  @Test("A line that joins a denied one names it")
  func deniedPart() async throws {
    try await withBroker { test in
      let denied = Atom("commands", "run", .command("rm x"))
      try test.store.decide(Ruling(.deny, subject: .everyone, atoms: [denied]), by: .commandLine)
      let value = Wire.Value(part: "run", scope: ScopeFields(.command("ls && rm x")))
      let client = try test.client()
      let end = try await client.call(Ask.self, .init(capability: "commands", values: [value]))
      #expect(end.explanation == "commands:run@rm x, which is part of it, was denied")
    }
  }

  @Test("Without a lifetime, every command is allowed until log-out, and never for longer")
  func allCommands() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      let reply = try await control.call(
        Methods.Allow.self, .init(program: "ci", capability: "commands", parts: ["run"]))
      #expect(reply.decisions.map(\.lifetime.kind) == [.session])
      await #expect(throws: BrokerError.self) {
        try await control.call(
          Methods.Allow.self,
          .init(
            program: "ci", capability: "commands", parts: ["run"], lifetime: Wire.LifetimeChoice(.forever)))
      }
    }
  }

  @Test("Each of several values is allowed for as long as it can be, whatever is allowed beside it")
  func ownLifetimes() async throws {
    try await withBroker { test in
      let line = Wire.Value(part: "run", scope: ScopeFields(.command("ls")))
      let reply = try await test.client(.control).call(
        Methods.Allow.self,
        .init(program: "ci", capability: "commands", parts: ["run"], values: [line]))
      #expect(
        reply.decisions.map { $0.scope == nil ? Wire.Lifetime.Kind.session : .forever }
          == reply.decisions.map(\.lifetime.kind))
      #expect(reply.decisions.count == 2)
    }
  }

  private static func requirements(_ texts: String...) throws -> [Wire.Requirement] {
    try texts.map { Wire.Requirement(try TestBroker.catalogue.parse($0)) }
  }
}
