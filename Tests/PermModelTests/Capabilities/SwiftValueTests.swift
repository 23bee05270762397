import PermModelTesting
import Testing

@testable import PermModel

@Suite("Values in Swift")
struct SwiftValueTests {
  private static func said() throws -> [(any CapabilityType, String)] {
    [
      (try Capability.Files(.read, "/srv/a"), "files:read@/srv/a"),
      (try Capability.Files(.write, "/srv/a/"), "files:write@/srv/a/"),
      (try Capability.Files(.read, "/srv/a*", "/srv/b"), #"files:read@/srv/a\*,read@/srv/b"#),
      (Capability.Files(.read, in: [.any]), "files:read@*"),
      (
        try Capability.Network(.connect, to: "API.example.org", port: 443),
        "network:connect@api.example.org:443"
      ),
      (try Capability.Network(.connect, to: "api.example.org"), "network:connect@api.example.org"),
      (try Capability.Network(.listen, to: "*.example.org"), "network:listen@*.example.org"),
      (try Capability.Commands(run: "git push origin main"), "commands:run@git push origin main"),
      (try Capability.Environment(read: "AWS_KEY"), "environment:read@AWS_KEY"),
      (try Capability.Keys(use: "deploy"), "keys:use@deploy"),
      (try Capability.Tools(use: "mcp__github__issues"), "tools:use@mcp__github__issues"),
      (try Capability.System(lookUp: "hostname"), "system:look@hostname"),
      (try Capability.Code(importFrom: "example.org", port: 443), "code:import@example.org:443"),
      (try Capability.Code(load: "/usr/lib/a.so"), "code:load@/usr/lib/a.so"),
      (try Capability.Code(updateOf: "claude"), "code:update@claude"),
    ]
  }

  @Test("A value means what its text means")
  func text() throws {
    for (capability, text) in try Self.said() {
      let atoms = capability.requirement.atoms
      #expect(capability.definition.reference(for: atoms).description == text)
      #expect(capability.definition.misfit(among: atoms) == nil)
      guard text.contains("@"), !text.contains(",") else { continue }
      #expect(try CapabilityCatalogue.builtIn.capability(text).requirement.atoms == atoms, "\(text)")
    }
  }

  @Test("A path that is not whole is refused, with the path that works")
  func relative() throws {
    #expect {
      try Capability.Files(.read, "srv/a")
    } throws: {
      "\($0)".hasPrefix(#""srv/a" is not a whole path; write "/"#) && "\($0)".hasSuffix(#"/srv/a""#)
    }
    #expect(throws: ScopeError.relative(path: "~/a", meant: HomeFolder.path + "/a")) {
      try Capability.Files(.read, "/srv", "~/a")
    }
    #expect(throws: ScopeError.leadsUpwards) { try Capability.Files(.read, "/srv/../etc") }
    #expect(throws: ScopeError.empty) { try Capability.Files(.read, "") }
  }

  @Test(
    "A host with more in it is refused, with the host that works",
    arguments: [
      ("ana@example.org", "example.org"), ("https://api.example.org/v1?q=1", "api.example.org"),
      ("example.org:443", "example.org"), ("https://good.example@evil.example:8080/", "evil.example"),
    ])
  func host(text: String, meant: String) {
    #expect(throws: ScopeError.host(text: text, .more(than: meant))) {
      try Capability.Network(.connect, to: text, port: 443)
    }
  }

  @Test("A host that is none is refused", arguments: ["", "a b", "ana@", "https://", "exa%6dple.org", "*"])
  func noHost(text: String) {
    #expect(throws: ScopeError.self) { try Capability.Network(.connect, to: text, port: 443) }
  }

  @Test("A port of zero, and empty or endless texts, are refused")
  func others() {
    #expect(throws: ScopeError.self) { try Capability.Network(.connect, to: "example.org", port: 0) }
    #expect(throws: ScopeError.empty) { try Capability.Commands(run: "") }
    #expect(throws: ScopeError.containsNUL) { try Capability.Environment(read: "A\0B") }
    #expect(throws: ScopeError.self) { try Capability.Keys(use: String(repeating: "k", count: 300)) }
  }

  @Test("A request for several accounts asks for no more than those, and is allowed if each is")
  func accounts() throws {
    let atoms = try CapabilityCatalogue.builtIn.parse("cloud:read@nas,read@box").atoms
    let both = Capability.Cloud(.init(atoms: atoms))
    #expect(both.requirement.atoms == atoms)
    func status(_ allowed: Set<Atom>) -> Capability.Cloud.Status {
      both.status(from: CapabilityFacts(of: both, allowed: allowed))
    }
    #expect(status(atoms).meets(both.requirement))
    #expect(!status([Atom("cloud", "read", .name("nas"))]).meets(both.requirement))
    #expect(status(atoms).meets(.init([.read], container: "nas")))
    #expect(!status(atoms).meets(.read))
  }

  @Test(
    "A text that names no capability is refused, with what works",
    arguments: [
      ("files:reed@/srv/a", #"did you mean "files:read"?"#), ("flies:read", #"did you mean "files"?"#),
      ("files:read", #"for example "files:read@/srv/music/""#), ("files:read@a/b", #"/a/b""#),
      ("files:read@~/a", HomeFolder.path + "/a"), ("files:read@/srv/**/a", "pattern of another program"),
    ])
  func catalogue(text: String, advice: String) {
    #expect {
      try CapabilityCatalogue.builtIn.capability(text)
    } throws: {
      $0 is CapabilityReferenceError && "\($0)".contains(advice)
    }
  }
}

@Suite("Parts that a capability does not have", .timeLimit(.minutes(5)))
struct MisfitValueTests {
  private static let nothing: [any CapabilityType] = [
    Capability.Files(AtomRequirement(atoms: [Atom("files", "reed")])),
    Capability.Files(AtomRequirement(atoms: [Atom("files", "read@/srv/a")])),
    Capability.Files(.read, in: [.name("a")]), Capability.Files(.read, in: []),
    Capability.Commands(.run, in: [.command("")]), Capability.Keys(.use, in: [.name("a\0b")]),
    Capability.Calendar(PartRequirement([])), Capability.Health(),
    Capability.Photos(PartRequirement(atoms: [Atom("photos", "raed")])),
  ]

  @Test(
    "An operation that asks for what does not exist fails, and nobody is asked", arguments: nothing.indices)
  func condition(place: Int) async throws {
    let answerer = try TestAnswerer()
    func condition(_ capability: some CapabilityType) -> any OperationCondition {
      AuthorizedFor(capability, authorizer: answerer.authorizer())
    }
    let handle = answerer.queue.add("work", conditions: [condition(Self.nothing[place])]) { _ in }
    let failed = try await #require(throws: ConditionsFailed.self) { try await handle.value }
    #expect(failed.failures.first?.error is PartError)
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("A look and a question throw the same error", arguments: nothing.indices)
  func question(place: Int) async throws {
    let authorizer = try TestAnswerer().authorizer()
    func ask(_ capability: some CapabilityType) async {
      await #expect(throws: PartError.self) { try await authorizer.authorize(capability) }
      await #expect(throws: PartError.self) { try await authorizer.authorization(of: capability) }
    }
    await ask(Self.nothing[place])
  }

  @Test("Passes and accounts can be asked for without a part")
  func withoutParts() async throws {
    let authorizer = try TestAnswerer().authorizer()
    _ = try await authorizer.authorization(of: Capability.Passbook())
    _ = try await authorizer.authorization(of: Capability.Cloud())
  }
}
