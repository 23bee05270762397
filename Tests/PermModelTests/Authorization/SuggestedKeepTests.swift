import PermModelTesting
import Testing

@testable import PermModel

@Suite("The suggestion to keep what was allowed several times today")
struct SuggestedKeepTests {
  private static let line = Atom("commands", "run", .command("npm test"))

  private func request(
    _ id: String, _ atom: Atom = line, doubt: String? = nil, isSandboxed: Bool = false,
    facts: ValueFacts = ValueFacts()
  ) -> Request {
    Request(
      id: Request.ID(id), subject: backup, capability: atom.capability, atoms: [atom],
      askedAt: Timestamp(seconds: 0),
      evidence: Evidence(
        process: FixedEnvironment.process, program: backup.path ?? "", isSandboxed: isSandboxed, doubt: doubt),
      facts: facts)
  }

  private func alert(
    _ atom: Atom = line, in box: StoreBox, joined: [JoinedRequest] = [], doubt: String? = nil,
    isSandboxed: Bool = false, facts change: (inout ValueFacts) -> Void = { _ in }
  ) throws -> RequestAlert {
    let definition = try #require(CapabilityCatalogue.builtIn[atom.capability]?.definition)
    var facts = ValueFacts()
    change(&facts)
    let request = request("asks", atom, doubt: doubt, isSandboxed: isSandboxed, facts: facts)
    let judge = Judge(of: request.subject, definition, under: .none)
    let judgement = judge.judgement(on: [atom], DecisionsInForce(), request.facts)
    return try RequestAlertMaker(request, definition).alert(
      asking: [atom], judgement.decided, joined: joined, in: box.store)
  }

  /// Answers a request, a minute after the one before.
  private func answer(
    _ number: Int, _ atom: Atom = line, in box: StoreBox, _ verdict: Verdict = .allow,
    for lifetime: LifetimeChoice = .once, by origin: Origin = here
  ) throws {
    let request = request("r\(number)", atom)
    try box.store.open(request)
    try box.store.answer(request.id, Answer(verdict, atoms: [atom], lifetime: lifetime), by: origin)
    box.world.pass(.seconds(30))
  }

  private func lifetime(_ alert: RequestAlert) -> LifetimeChoice? {
    alert.suggestedKeep.map { alert.lifetimes[$0].choice }
  }

  @Test("comes with the fourth request of a day, until log-out", arguments: StoreKind.allCases)
  func fourth(_ kind: StoreKind) throws {
    let box = try kind.make()
    for number in 1...3 {
      #expect(try alert(in: box).suggestedKeep == nil)
      try answer(number, in: box)
    }
    let alert = try alert(in: box)
    #expect(alert.history.today == 3)
    #expect(lifetime(alert) == .session)
    let facts = RequestFacts(alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil)
    let today = try #require(facts.all.first { $0.heading == "Today" })
    #expect(today.text == "you allowed exactly this 3 times")
    #expect(today.keeps == "until logout")
    box.world.pass(.seconds(24 * 3600))
    #expect(try self.alert(in: box).history.today == 0)
  }

  @Test(
    "counts only allows of exactly this, for one request, by the person", arguments: StoreKind.allCases)
  func counting(_ kind: StoreKind) throws {
    let box = try kind.make()
    for number in 1...2 { try answer(number, in: box) }
    try answer(3, Atom("commands", "run", .command("npm run build")), in: box)
    try answer(4, in: box, .deny)
    try answer(5, in: box, for: .duration(.seconds(1)))
    try answer(6, in: box, by: .terminal)
    // The requests of one alert are answered with one key.
    let together = ["r7", "r8", "r9"].map { request($0) }
    for request in together { try box.store.open(request) }
    try box.store.answer(together.map(\.id), Answer(.allow, atoms: [Self.line]), by: here)
    #expect(try box.store.timesAllowedToday([Self.line], to: backup) == 3)
    #expect(try box.store.timesAllowedToday([Self.line], to: Subject(label: "backup")) == 0)
  }

  @Test("is not made where an allow cannot be kept, takes a word, or is in doubt")
  func never() throws {
    let box = try StoreKind.memory.make()
    for number in 1...4 { try answer(number, in: box) }
    #expect(try alert(in: box).suggestedKeep != nil)
    #expect(try alert(in: box) { $0.onceReason = "it says so" }.suggestedKeep == nil)
    #expect(try alert(in: box, doubt: "its parent is gone").suggestedKeep == nil)
    #expect(try alert(in: box, isSandboxed: true).suggestedKeep == nil)
    for (number, text) in ["sudo reboot", "git push origin main", "rm -rf build"].enumerated() {
      let atom = Atom("commands", "run", .command(text))
      for again in 0...3 { try answer(10 * (number + 1) + again, atom, in: box) }
      #expect(try alert(atom, in: box).suggestedKeep == nil, "\(text)")
    }
  }

  @Test("names the end of the process where an allow holds no longer, unless several processes ask")
  func process() throws {
    let box = try StoreKind.memory.make()
    for number in 1...3 { try answer(number, in: box) }
    #expect(lifetime(try alert(in: box) { $0.dialect = .codex }) == .process)
    let joined = [JoinedRequest(id: Request.ID("s"), process: ProcessIdentity(pid: 7, startTime: 1))]
    #expect(try alert(in: box, joined: joined) { $0.dialect = .codex }.suggestedKeep == nil)
  }
}
