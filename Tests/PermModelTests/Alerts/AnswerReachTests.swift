import Testing

@testable import PermModel

@Suite("How many other requests an answer settles")
struct AnswerReachTests {
  private static func atom(_ text: String) throws -> Atom {
    let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
    return try #require(atoms.first)
  }

  /// Returns an alert for reading a file, whose answer can also cover a folder.
  private static func alert(_ text: String, wider folder: String) throws -> RequestAlert {
    let atom = try atom(text)
    let request = Request(
      id: Request.ID("1"), subject: Subject(label: "tool"), capability: atom.capability, atoms: [atom],
      askedAt: Timestamp(seconds: 0))
    return RequestAlert(
      request: request, title: "Files", action: "read a file", explanation: "", severity: .moderate,
      choices: [RequirementChoice(atoms: [atom], title: "read")],
      covers: [.exact, CoverOffer(try Scope(folder, kind: .path), words: "all of \(folder)")],
      identity: .inProcess, lifetimes: LifetimeOffer.all(for: .inProcess))
  }

  private static func others(_ text: String, count: Int = 1, doubt: String? = nil) throws -> RequestsBeside {
    let atom = try atom(text)
    let definition = try #require(CapabilityCatalogue.builtIn[atom.capability]?.definition)
    var facts = ValueFacts()
    if let doubt { facts.paths = [PathFact(scope: atom.scope, doubt: doubt)] }
    let judge = Judge(of: Subject(label: "tool"), definition, under: .none)
    return RequestsBeside(judge.judgement(on: [atom], DecisionsInForce(), facts), count: count)
  }

  @Test("A wider scope has numbers of its own, in which each request counts with its own facts")
  func scopes() throws {
    var alert = try Self.alert("files:read@/srv/a/b", wider: "/srv/a/")
    #expect(alert.reach(cover: 1) == nil)
    let others = [
      try Self.others("files:read@/srv/a/c", count: 2),
      try Self.others("files:read@/srv/a/d", doubt: "it is too slow"),
      try Self.others("files:read@/srv/x", count: 4),
    ]
    alert.countReach(among: others, at: Timestamp(seconds: 0))
    #expect(alert.reach(cover: 0) == AnswerReach())
    // A kept allow of a folder does not count for a path in doubt, but a denial does.
    #expect(alert.reach(cover: 1) == AnswerReach(allow: 2, deny: 3))
    #expect(alert.reach(cover: 2) == nil)
  }

  @Test("A yes counts for a joined line that it settles, also while a program may write what the line runs")
  func joinedLine() throws {
    let (test, tail) = (Atom("commands", "run", .command("npm test")), "tail -n 30")
    let subject = Subject(
      label: "claude", path: "/usr/bin/claude", file: nil,
      folder: ProgramFolder(path: "/srv/app", device: 1, inode: 2))
    var facts = ValueFacts()
    facts.writer = "claude"
    let (commands, moment) = (Capability.Commands.definition, Timestamp(seconds: 1))
    let kept = Decision(
      subject: subject, atom: Atom("commands", "run", .command(tail)), verdict: .allow, lifetime: .forever,
      origin: .library, decidedAt: moment)
    let judge = Judge(of: subject, commands, under: .none)
    let joined = Atom("commands", "run", .command("npm test 2>&1 | \(tail)"))
    let standing = DecisionsInForce(decisions: [kept.atom: kept])
    let beside = RequestsBeside(judge.judgement(on: [joined], standing, facts), count: 1)
    let request = Request(
      id: Request.ID("1"), subject: subject, capability: "commands", atoms: [test], askedAt: moment,
      facts: facts)
    var alert = RequestAlertMaker(request, commands).summaryAlert()
    alert.covers =
      CoverOffers(
        request: request, open: [test], decided: judge.judgement(on: [test], standing, facts).decided
      ).all
    alert.countReach(among: [beside], at: moment)
    #expect(alert.reach == AnswerReach(allow: 1, deny: 1))
    // The decision that is kept settles it by the same judgement.
    let decision = Decision(
      subject: subject, atom: test, verdict: .allow, lifetime: .session("1"), origin: .library,
      decidedAt: moment)
    let later = DecisionsInForce(decisions: [kept.atom: kept, test: decision])
    #expect(judge.judgement(on: [joined], later, facts).isAllowed)
  }

  @Test("The alert announces that a wider answer settles others, even if the exact one settles none")
  func announced() throws {
    var alert = try Self.alert("files:read@/srv/a/b", wider: "/srv/a/")
    func lines(_ alert: RequestAlert) -> [String] {
      var plain = PlainAlert(Alert(id: Alert.ID("1"), content: .request(alert)), isInDashboard: true)
      #expect(!plain.lines.contains { $0.hasPrefix("Others") })
      #expect(plain.take("wider") == .again)
      return plain.lines.filter { $0.hasPrefix("Others") }
    }
    #expect(
      lines(alert) == ["Others: if it is kept, your answer answers all others that wait and that it covers"])
    alert.countReach(among: [], at: Timestamp(seconds: 0))
    #expect(lines(alert) == [])
    alert.countReach(among: [try Self.others("files:read@/srv/a/c")], at: Timestamp(seconds: 0))
    #expect(lines(alert) == ["Others: if it is kept, your answer answers 1 other that waits"])
  }
}
