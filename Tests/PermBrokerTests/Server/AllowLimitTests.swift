import PermModel
import Testing

@testable import PermBroker

@Suite("Limits of allows beforehand")
struct AllowLimitTests {
  let store: MemoryStore
  let control: StoreControl

  init() {
    store = MemoryStore(environment: .linux(sessionFolder: nil))
    control = StoreControl(store, catalogue: .builtIn)
  }

  private func decide(
    _ verdict: Verdict, _ what: String, for program: String = "claude", _ lifetime: LifetimeChoice = .session
  ) throws {
    _ = try control.decide(
      verdict, program, in: what.hasSuffix("…") && verdict == .allow ? "/" : nil,
      [CapabilityCatalogue.builtIn.parse(what)], for: lifetime, note: nil)
  }

  /// Returns the message with which an allow is refused; `nil` if it is stored.
  private func refusal(_ what: String, _ lifetime: LifetimeChoice = .session) throws -> String? {
    do {
      try decide(.allow, what, lifetime)
      return nil
    } catch let refused as DecisionRefused {
      return "\(refused)"
    }
  }

  @Test("Every command, and commands that run a folder, are allowed until log-out at most")
  func session() throws {
    for what in ["commands:run@*", "commands:run@make …", "commands:run@swift build …"] {
      for lifetime in [LifetimeChoice.forever, .duration(.seconds(600))] {
        #expect(try refusal(what, lifetime)?.contains("until you log out at most") == true)
      }
      #expect(try refusal(what, .session) == nil)
      try decide(.deny, what, .forever)
      #expect(try CapabilityCatalogue.builtIn.parse(what).usualLifetime(.allow) == .session)
      #expect(try CapabilityCatalogue.builtIn.parse(what).usualLifetime(.deny) == .forever)
    }
    #expect(try refusal("commands:run@git status …", .forever) == nil)
    #expect(try CapabilityCatalogue.builtIn.parse("files:read@*").usualLifetime(.allow) == .forever)
  }

  @Test("A decision that a person changes on a screen has the same limits")
  func changed() throws {
    func ruling(_ verdict: Verdict, _ lifetime: LifetimeChoice) -> Ruling {
      let atoms: Set = [Atom("commands", "run")]
      return Ruling(verdict, subject: Subject(label: "claude"), atoms: atoms, lifetime: lifetime)
    }
    #expect(throws: DecisionRefused.self) { try control.decide(ruling(.allow, .forever)) }
    #expect(try store.decisions().isEmpty)
    try control.decide(ruling(.deny, .forever))
    #expect(try store.decisions().map(\.verdict) == [.deny])
  }

  @Test("A line that is always asked about cannot be allowed beforehand, but denied")
  func alwaysAsked() throws {
    #expect(try refusal("commands:run@tmux new")?.contains("asked about each time") == true)
    #expect(try refusal("commands:run@a && permtui x")?.contains("asked about each time") == true)
    try decide(.deny, "commands:run@tmux new")
  }

  @Test("An allow without effect is refused with the denial in the way, and nothing is stored")
  func noEffect() throws {
    try decide(.deny, "files:read@/srv/", for: "everyone", .forever)
    try decide(.deny, "commands:run@b", .forever)
    let before = try store.decisions()
    #expect(try refusal("files:read@/srv/a")?.contains("permtui forget everyone files:read@/srv/") == true)
    #expect(try refusal("files:write@/srv/")?.contains("denied for everyone") == true)
    #expect(try refusal("commands:run@a; b")?.contains("permtui forget claude commands:run@b") == true)
    #expect(try refusal("files:write@/srv2/.git/hooks/")?.contains("name each file") == true)
    #expect(try store.decisions() == before)
    #expect(try refusal("files:read@/") == nil)
    #expect(try refusal("commands:run@b") == nil)
    #expect(try refusal("files:write@/srv2/.git/hooks/pre-push") == nil)
  }
}
