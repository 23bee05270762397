import PermModelTesting
import Testing

@testable import PermModel

@Suite("Decisions for an agent in a folder")
struct AgentFolderTests {
  private static let app = ProgramFolder(path: "/home/ana/src/app", device: 1, inode: 10)
  private static let other = ProgramFolder(path: "/home/ana/src/other", device: 1, inode: 11)
  private static let file = FileIdentity(inode: 4, birth: 4)

  /// An agent at a path that everyone can write, or at one that only root can.
  private func agent(in folder: ProgramFolder?, _ file: FileIdentity? = file, label: String = "claude")
    -> Subject
  {
    Subject(label: label, path: "/usr/bin/claude", file: file, folder: folder)
  }

  private func allowed(_ subject: Subject, in box: StoreBox) throws -> Set<Atom> {
    try box.store.standing(of: subject, capability: "photos").allowed
  }

  private func denied(_ subject: Subject, in box: StoreBox) throws -> Set<Atom> {
    try box.store.standing(of: subject, capability: "photos").denied
  }

  @Test(
    "An allow holds in its folder only, also where the path alone makes the program",
    arguments: StoreKind.allCases, [file, nil])
  func allow(_ kind: StoreKind, _ file: FileIdentity?) throws {
    let box = try kind.make()
    let here = agent(in: Self.app, file)
    try box.store.decide(Ruling(.allow, subject: here, atoms: [photos]), by: .commandLine)
    #expect(try allowed(here, in: box) == [photos])
    var moved = Self.app
    moved.inode = 99
    for folder in [Self.other, moved, nil] { #expect(try allowed(agent(in: folder, file), in: box).isEmpty) }
    #expect(try allowed(agent(in: Self.app, file, label: "codex"), in: box).isEmpty)
    #expect(try box.store.history(of: agent(in: Self.other, file), capability: "photos") == AnswerHistory())
  }

  @Test("An allow without a folder says nothing about the agent in one", arguments: StoreKind.allCases)
  func allowWithout(_ kind: StoreKind) throws {
    let box = try kind.make()
    for file in [Self.file, nil] {
      try box.store.decide(Ruling(.allow, subject: agent(in: nil, file), atoms: [photos]), by: here)
    }
    try box.store.decide(Ruling(.allow, subject: Subject(label: "claude"), atoms: [photos]), by: here)
    for file in [Self.file, nil] { #expect(try allowed(agent(in: Self.app, file), in: box).isEmpty) }
  }

  @Test(
    "A denial without a folder holds in every folder: of the program, of the label, of everyone",
    arguments: StoreKind.allCases, [file, nil])
  func denials(_ kind: StoreKind, _ file: FileIdentity?) throws {
    for subject in [agent(in: nil, file), Subject(label: "claude")] {
      let box = try kind.make()
      try box.store.decide(Ruling(.deny, subject: subject, atoms: [photos]), by: here)
      #expect(try denied(agent(in: Self.app, file), in: box) == [photos])
    }
    let box = try kind.make()
    try box.store.decide(Ruling(.deny, subject: .everyone, atoms: [photos]), by: here)
    let standing = try box.store.standing(of: agent(in: Self.app, file), capability: "photos")
    #expect(standing.everyone.count == 1)
  }

  @Test(
    "A denial takes back what the program was allowed in any folder, or under its label alone",
    arguments: StoreKind.allCases)
  func denialTakesBack(_ kind: StoreKind) throws {
    let box = try kind.make()
    let (inside, outside) = (agent(in: Self.app), agent(in: nil))
    let others = [Subject(label: "claude", path: "/opt/claude"), Subject(label: "codex")]
    for subject in [inside, outside, Subject(label: "claude")] + others {
      try box.store.decide(Ruling(.allow, subject: subject, atoms: [photos]), by: .commandLine)
    }
    try box.store.decide(Ruling(.deny, subject: inside, atoms: [photos]), by: .commandLine)
    #expect(try box.store.decisions(DecisionFilter(verdict: .allow)).map(\.subject).contains(outside))
    try box.store.decide(Ruling(.deny, subject: outside, atoms: [photos]), by: .commandLine)
    #expect(Set(try box.store.decisions(DecisionFilter(verdict: .allow)).map(\.subject)) == Set(others))
  }

  @Test("A denial in a folder holds in that folder only", arguments: StoreKind.allCases)
  func denialHere(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.deny, subject: agent(in: Self.app), atoms: [photos]), by: here)
    #expect(try denied(agent(in: Self.app), in: box) == [photos])
    #expect(try denied(agent(in: Self.other), in: box).isEmpty)
    #expect(try denied(agent(in: nil), in: box).isEmpty)
  }

  @Test(
    "An agent is muted in its folder, and a mute without a folder holds in all", arguments: StoreKind.allCases
  )
  func mutes(_ kind: StoreKind) throws {
    func isMuted(_ subject: Subject, in box: StoreBox) throws -> Bool {
      try box.store.standing(of: subject, capability: "photos").mute != nil
    }
    let box = try kind.make()
    try box.store.decide(.mute(agent(in: Self.app)), by: here)
    #expect(try isMuted(agent(in: Self.app, label: "another name"), in: box))
    #expect(try !isMuted(agent(in: Self.other), in: box))
    #expect(try !isMuted(agent(in: nil), in: box))
    let everywhere = try kind.make()
    try everywhere.store.decide(.mute(agent(in: nil)), by: here)
    #expect(try isMuted(agent(in: Self.app, label: "another name"), in: everywhere))
  }

  @Test(
    "In an unknown folder, denials and mutes in every folder hold, and allows only there",
    arguments: StoreKind.allCases, [file, nil])
  func unknownFolder(_ kind: StoreKind, _ file: FileIdentity?) throws {
    let unknown = agent(in: .unknown, file)
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: agent(in: Self.app, file), atoms: [photos]), by: here)
    try box.store.decide(Ruling(.allow, subject: agent(in: nil, file), atoms: [photos]), by: here)
    #expect(try allowed(unknown, in: box).isEmpty)
    try box.store.decide(Ruling(.allow, subject: unknown, atoms: [photos]), by: here)
    #expect(try allowed(unknown, in: box) == [photos])
    for subject in [agent(in: Self.other, file), Subject(label: "claude", file: nil, folder: Self.other)] {
      try box.store.decide(Ruling(.deny, subject: subject, atoms: [photos]), by: here)
      #expect(try denied(unknown, in: box) == [photos])
      #expect(try denied(agent(in: .unknown, file, label: "codex"), in: box).isEmpty)
      try box.store.undo(by: here)
      #expect(try denied(unknown, in: box).isEmpty)
    }
    try box.store.decide(.mute(agent(in: Self.app, file)), by: here)
    #expect(try box.store.standing(of: unknown, capability: "photos").mute != nil)
    #expect(try box.store.decisions().contains { $0.subject.folder == .unknown })
  }

  @Test("The store knows an agent by what was decided about it in a folder", arguments: StoreKind.allCases)
  func known(_ kind: StoreKind) throws {
    func isAgent(after ruling: Ruling, _ subject: Subject) throws -> Bool {
      let box = try kind.make()
      try box.store.decide(ruling, by: here)
      return try box.store.isAgent(subject)
    }
    let (outside, updated) = (agent(in: nil), agent(in: nil, FileIdentity(inode: 5, birth: 5)))
    let denial = Ruling(.deny, subject: agent(in: Self.app), atoms: [photos])
    for subject in [outside, updated] { #expect(try isAgent(after: denial, subject)) }
    #expect(try !isAgent(after: denial, agent(in: nil, label: "codex")))
    #expect(try !isAgent(after: denial, Subject(label: "claude", path: "/opt/claude")))
    #expect(try !isAgent(after: Ruling(.deny, subject: outside, atoms: [photos]), outside))
    #expect(try isAgent(after: .mute(agent(in: Self.app)), agent(in: nil, label: "codex")))
    let label = Subject(label: "claude", file: nil, folder: Self.app)
    #expect(try isAgent(after: Ruling(.deny, subject: label, atoms: [photos]), outside))
  }

  @Test(
    "An allow for a label in a folder binds to the first program that asks there",
    arguments: StoreKind.allCases)
  func unbound(_ kind: StoreKind) throws {
    let box = try kind.make()
    let label = Subject(label: "claude", file: nil, folder: Self.app)
    try box.store.decide(Ruling(.allow, subject: label, atoms: [photos]), by: here)
    #expect(try allowed(agent(in: Self.other), in: box).isEmpty)
    #expect(try allowed(agent(in: nil), in: box).isEmpty)
    let standing = try box.store.standing(of: agent(in: Self.app), capability: "photos")
    try box.store.record(
      AutomaticAnswer(
        .allow, subject: agent(in: Self.app), capability: "photos", atoms: [photos], reason: "decided before",
        decisions: Array(standing.decisions.values)))
    #expect(try box.store.decisions().map(\.subject) == [agent(in: Self.app)])
    try box.store.decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: here)
    #expect(try box.store.journal(.all, .newest(20)).first { $0.kind == .bound }?.before?.subject == label)
  }

  @Test(
    "Another folder at the same path is replaced, and its answer takes the old one's place",
    arguments: StoreKind.allCases)
  func replaced(_ kind: StoreKind) throws {
    let box = try kind.make()
    let old = agent(in: Self.app)
    var new = old
    new.folder?.inode = 99
    try box.store.decide(Ruling(.allow, subject: old, atoms: [photos]), by: here)
    #expect(try check(new, in: box) == .replaced)
    #expect(try check(agent(in: Self.other), in: box) == .firstTime)
    #expect(try check(agent(in: nil), in: box) == .firstTime)
    try box.store.decide(Ruling(.allow, subject: new, atoms: [photos]), by: here)
    #expect(try box.store.decisions().map(\.subject) == [new])
  }

  private func check(_ subject: Subject, in box: StoreBox) throws -> IdentityCheck {
    let request = Request(
      id: Request.ID("\(subject.hashValue)"), subject: subject, capability: "photos", atoms: [photos],
      askedAt: Timestamp(seconds: 0),
      evidence: Evidence(process: FixedEnvironment.process, program: "/usr/bin/claude"))
    return try IdentityCheck(of: request, in: box.store)
  }

  @Test("A name says the folder, with quotation marks where it could be mistaken for other words")
  func names() {
    #expect(agent(in: Self.app).name.hasPrefix("claude in "))
    let sly = ProgramFolder(path: "/tmp/x asks to read", device: 1, inode: 1)
    #expect(agent(in: sly).framedName == "claude in \"/tmp/x asks to read\"")
  }

  @Test("An exported decision comes back with its folder", arguments: StoreKind.allCases)
  func transfer(_ kind: StoreKind) throws {
    let box = try kind.make()
    let decision = try box.store.decide(
      Ruling(.allow, subject: agent(in: Self.app), atoms: [photos]), by: here)
    #expect(try decision.map { try DecisionLine($0).decision { _ in nil }.subject } == [agent(in: Self.app)])
  }

  @Test("Each folder has limits of its own, and the folders of one agent share its turn")
  func askers() {
    let (one, two) = (agent(in: Self.app), agent(in: Self.other))
    #expect(ProgramKey(one) != ProgramKey(two) && ProgramKey(one) != ProgramKey(agent(in: nil)))
    #expect(ProgramKey(one.inAnyFolder) == ProgramKey(two.inAnyFolder))
  }
}
