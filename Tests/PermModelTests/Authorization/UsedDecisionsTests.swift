import Machine
import PermModelTesting
import Testing

@testable import PermModel

@Suite("The decisions that an automatic answer names", .timeLimit(.minutes(5)))
struct UsedDecisionsTests {
  let world = FixedEnvironment()
  let store: MemoryStore
  let backup = Subject(label: "backup", path: "/bin/backup")

  init() { store = MemoryStore(environment: world.environment) }

  private func decide(_ verdict: Verdict, _ text: String, for subject: Subject) throws {
    world.pass(.seconds(1))
    let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
    try store.decide(Ruling(verdict, subject: subject, atoms: atoms), by: .commandLine)
  }

  private func used(asking text: String) throws -> [String] {
    let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
    let capability = try #require(atoms.first?.capability)
    let definition = try #require(CapabilityCatalogue.builtIn[capability]?.definition)
    let judgement = try store.judgement(on: atoms, by: Judge(of: backup, definition, under: .none))
    return judgement.use.decisions.map(\.atom.description)
  }

  @Test("The narrowest allow is named, not all that cover the value")
  func narrowest() throws {
    try decide(.allow, "files:read@/srv/", for: backup)
    try decide(.allow, "files:read@/srv/a/", for: backup)
    try decide(.deny, "files:read@/srv/b", for: backup)
    #expect(try used(asking: "files:read@/srv/a/c") == ["files:read@/srv/a/"])
    #expect(try used(asking: "files:read@/srv/c") == ["files:read@/srv/"])
  }

  @Test("A denial is named, also one for everyone, one inside, and one of a lesser part")
  func denials() throws {
    try decide(.allow, "files:write@/srv/", for: backup)
    try decide(.deny, "files:read@/srv/b", for: backup)
    try decide(.deny, "files:read@/etc/", for: .everyone)
    #expect(try used(asking: "files:read@/srv/b") == ["files:read@/srv/b"])
    #expect(try used(asking: "files:write@/srv/b") == ["files:read@/srv/b"])
    #expect(try used(asking: "files:read@/srv/") == ["files:read@/srv/b"])
    #expect(try used(asking: "files:read@/etc/x") == ["files:read@/etc/"])
  }

  @Test("A joined line names the decisions of its parts, or the one that denies it")
  func joined() throws {
    try decide(.allow, "commands:run@a", for: backup)
    try decide(.allow, "commands:run@b", for: backup)
    try decide(.deny, "commands:run@c", for: backup)
    #expect(try used(asking: "commands:run@a && b") == ["commands:run@a", "commands:run@b"])
    #expect(try used(asking: "commands:run@a && c") == ["commands:run@c"])
  }

  @Test("Of a program with many decisions, only those that can count are read")
  func few() throws {
    let paths = try Set((0..<2_000).map { Atom("files", "read", .path(try AbsolutePath("/srv/\($0)"))) })
    try store.decide(Ruling(.allow, subject: backup, atoms: paths), by: .commandLine)
    let asked = Atom("files", "read", .path(try AbsolutePath("/srv/7")))
    let standing = try store.standing(of: backup, capability: "files", asking: [asked])
    #expect(standing.decisions.keys.map(\.description) == ["files:read@/srv/7"])
  }

  @Test("A answerer is asked for the decisions about the asked values only")
  func answerer() async throws {
    let test = try TestAnswerer()
    let spy = SpyAnswerer(base: test.answerer)
    let files = try Capability.Files(.read, "/srv/a")
    try test.decide(.allow, files.requirement.atoms)
    let authorizer = Authorizer(
      subject: Subject(label: "backup"), answerer: spy, environment: test.machine.environment)
    _ = try await authorizer.authorize(files)
    #expect(spy.asked.withLock { $0 } == [files.requirement.atoms])
    #expect(try test.standing("files").decisions.values.first?.lastUsed != nil)
  }
}

/// A answerer that notes which atoms it is asked for.
private final class SpyAnswerer: PermissionAnswerer {
  let base: LocalAnswerer
  let asked = Lock<[Set<Atom>?]>([])

  init(base: LocalAnswerer) { self.base = base }

  func judgement(on atoms: Set<Atom>, _ values: Resolution, by judge: Judge) async throws -> Judgement {
    asked.withLock { $0.append(atoms) }
    return try await base.judgement(on: atoms, values, by: judge)
  }

  func decisionChanges(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) throws -> AsyncStream<Void> {
    try base.decisionChanges(on: atoms, values, by: judge)
  }
  func end(of request: Request) throws -> RequestEnd? { try base.end(of: request) }
  func answer(to asking: Asking) async throws -> RequestEnd { try await base.answer(to: asking) }
  func record(_ answer: AutomaticAnswer) throws { try base.record(answer) }
  var now: Timestamp { base.now }
  func makeID() -> String { base.makeID() }
}
