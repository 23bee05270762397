import Testing

@testable import PermBroker
@testable import PermModel

@Suite("The parts and values that a call names", .timeLimit(.minutes(5)))
struct RequirementTests {
  private static func scope(_ set: (inout ScopeFields) -> Void) -> ScopeFields {
    var fields = ScopeFields(.any)
    set(&fields)
    return fields
  }

  private static func parameters(
    _ capability: String?, _ part: String, _ fields: ScopeFields
  ) -> Methods.RulingParameters {
    .init(program: "ci", capability: capability, values: [Wire.Value(part: part, scope: fields)])
  }

  /// Values that mean a wider scope in a text.
  private static let values: [(capability: String, part: String, fields: ScopeFields, scope: Scope)] = [
    ("environment", "read", scope { $0.name = "*" }, .name("*")),
    ("environment", "read", scope { $0.name = "@*" }, .name("@*")),
    ("environment", "read", scope { $0.name = "A,read@*" }, .name("A,read@*")),
    ("commands", "run", scope { $0.command = "*" }, .command("*")),
    ("commands", "run", scope { $0.command = "git status …" }, .command("git status …")),
    ("files", "read", scope { $0.path = "/srv/a/" }, .path(place("/srv/a"))),
    ("files", "read", scope { $0.path = "/srv/*" }, .path(place("/srv/*"))),
    ("files", "read", scope { $0.path = "/srv/a\\n" }, .path(place("/srv/a\\n"))),
    ("files", "read", scope { $0.folder = "/srv/a" }, .folder(place("/srv/a"))),
    ("files", "read", scope { $0.escapedPath = "/srv/\\xe9/" }, .path(place("/srv/\u{fffd}", last: 0xe9))),
  ]

  private static func place(_ text: String, last: UInt8? = nil) -> AbsolutePath {
    let bytes = last.map { Array("/srv/".utf8) + [$0] } ?? Array(text.utf8)
    return (try? AbsolutePath(bytes)) ?? .root
  }

  @Test("A value is decided exactly as it is, and never taken for a scope", arguments: values.indices)
  func exact(index: Int) async throws {
    let (capability, part, fields, scope) = Self.values[index]
    try await withBroker { test in
      let control = try test.client(.control)
      let parameters = Self.parameters(capability, part, fields)
      let reply = try await control.call(Methods.Deny.self, parameters)
      #expect(reply.decisions.map(\.scope) == [ScopeFields(scope)])
      #expect(try test.store.decisions().map(\.atom) == [Atom(capability, part, scope)])
      let others = Methods.Forget.Parameters(program: "ci", capability: capability, parts: [part])
      #expect(try await control.call(Methods.Forget.self, others).decisions.isEmpty)
      let forgotten = try await control.call(
        Methods.Forget.self, .init(program: "ci", capability: capability, values: parameters.values))
      #expect(forgotten.decisions.count == 1)
      #expect(try test.store.decisions().isEmpty)
    }
  }

  /// Calls that could mean more than their sender knows, or nothing.
  private static let wrong: [(Methods.RulingParameters, parameter: String)] = [
    (.init(program: "ci", capability: "files:read@/srv/a/"), "capability"),
    (.init(program: "ci", capability: "environment:read@*"), "capability"),
    (.init(program: "ci", capabilities: [.init(capability: "files:read@/srv/a")]), "capability"),
    (.init(program: "ci", capabilities: []), "capabilities"),
    (.init(program: "ci", parts: ["read"]), "capability"),
    (parameters(nil, "read", scope { $0.path = "/srv/a" }), "capability"),
    (.init(program: "ci", capability: "files", parts: [], values: []), "values"),
    (.init(program: "ci", capability: "files", values: []), "values"),
    (.init(program: "ci", capability: "files", parts: ["raed"]), "values"),
    (.init(program: "ci", capability: "environment", parts: ["read@HOME"]), "parts"),
    (parameters("files", "read", scope { $0.path = "/" }), "values"),
    (parameters("files", "read", scope { $0.path = "/." }), "values"),
    (parameters("files", "read", scope { $0.path = "a" }), "scope"),
    (parameters("files", "read", scope { $0.path = "/srv/../etc" }), "scope"),
    (parameters("files", "read", scope { $0.name = "a" }), "values"),
    (parameters("files:read", "read", scope { $0.path = "/srv/a" }), "capability"),
    (parameters("files", "read", scope { ($0.path, $0.folder) = ("/srv/a", "/srv/a") }), "scope"),
  ]

  @Test(
    "A program that asks names values as fields only",
    arguments: [
      ("files:read@/srv/a", nil, "capability"), ("environment:read@HOME", nil, "capability"),
      ("environment", ["read@HOME"], "parts"),
    ] as [(String, [String]?, String)])
  func asking(capability: String, parts: [String]?, parameter: String) async throws {
    try await withBroker { test in
      let calls: [(TestClient) async throws -> Void] = [
        { _ = try await $0.call(Methods.Request.self, .init(capability: capability, parts: parts)) },
        { _ = try await $0.call(Methods.Status.self, .init(capability: capability, parts: parts)) },
      ]
      for call in calls {
        do {
          try await call(try test.client())
          Issue.record("it was taken")
        } catch BrokerError.invalid(let found, _) {
          #expect(found == parameter)
        }
      }
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("The status of a part is that of the part, whether a field or the text names it")
  func statusOfPart() async throws {
    try await withBroker { test in
      try test.store.decide(
        Ruling(.deny, subject: Subject(label: "backup"), atoms: [Atom("deploy", "production")]),
        by: .commandLine)
      let named: [(String, [String]?)] = [("deploy", ["staging"]), ("deploy:staging", nil)]
      for (capability, parts) in named {
        let reply = try await test.client().call(
          Methods.Status.self, .init(capability: capability, parts: parts, label: "backup"))
        #expect(reply.state == .ask)
      }
    }
  }

  @Test(
    "A call that could be taken for more than it says is refused, and changes nothing",
    arguments: wrong.indices)
  func refused(index: Int) async throws {
    let (parameters, parameter) = Self.wrong[index]
    try await withBroker { test in
      let kept = try TestBroker.catalogue.parse("files:read@/srv/x").atoms
      try test.store.decide(
        Ruling(.deny, subject: Subject(label: "ci"), atoms: kept), by: .commandLine)
      let control = try test.client(.control)
      let forget = Methods.Forget.Parameters(
        program: "ci", capability: parameters.capability, parts: parameters.parts, values: parameters.values,
        capabilities: parameters.capabilities)
      let calls: [() async throws -> Void] = [
        { _ = try await control.call(Methods.Allow.self, parameters) },
        { _ = try await control.call(Methods.Deny.self, parameters) },
        { _ = try await control.call(Methods.Forget.self, forget) },
      ]
      for call in calls {
        do {
          try await call()
          Issue.record("it was taken")
        } catch BrokerError.invalid(let found, _) {
          #expect(found == parameter)
        } catch BrokerError.unknownCapability {
          #expect(parameter == "capability")
        }
      }
      #expect(try test.store.decisions().map(\.atom) == Array(kept))
    }
  }

  @Test(
    "A capability without parts can be named with its only part, and one that no longer exists can be forgotten"
  )
  func whole() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      let teleport = try Wire.Requirement(TestBroker.catalogue.parse("teleport"))
      let denial = try await control.call(
        Methods.Deny.self, .init(program: "ci", capabilities: [teleport]))
      #expect(denial.decisions.count == 1)
      try test.store.decide(
        Ruling(.deny, subject: Subject(label: "ci"), atoms: [Atom("gone", "part")]), by: .commandLine)
      for name in ["gone", "teleport"] {
        let reply = try await control.call(Methods.Forget.self, .init(program: "ci", capability: name))
        #expect(reply.decisions.map(\.capability) == [name])
      }
    }
  }

  @Test("Of several capabilities about which nothing is decided, nothing is forgotten")
  func nothingToForget() async throws {
    try await withBroker { test in
      try test.store.decide(
        Ruling(.deny, subject: Subject(label: "ci"), atoms: [Atom("gone", "part")]), by: .commandLine)
      let names = ["deploy", "teleport"].map { Wire.Requirement(capability: $0) }
      let reply = try await test.client(.control).call(
        Methods.Forget.self, .init(program: "ci", capabilities: names))
      #expect(reply.decisions.isEmpty)
      #expect(try test.store.decisions().count == 1)
    }
  }
}
