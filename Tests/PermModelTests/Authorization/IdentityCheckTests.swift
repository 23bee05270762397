import PermModelTesting
import Testing

@testable import PermModel

@Suite("How a name fits what was decided before")
struct IdentityCheckTests {
  private static let script = Subject(
    label: "backup", path: "/home/ana/backup.sh", file: FileIdentity(inode: 1, birth: 1))

  private func request(_ subject: Subject, doubt: String? = nil) -> Request {
    Request(
      id: Request.ID("\(subject.hashValue)"), subject: subject, capability: "photos", atoms: [photos],
      askedAt: Timestamp(seconds: 0),
      evidence: Evidence(process: FixedEnvironment.process, program: subject.path ?? "python3", doubt: doubt))
  }

  private func check(_ subject: Subject, in box: StoreBox, doubt: String? = nil) throws -> IdentityCheck {
    try IdentityCheck(of: request(subject, doubt: doubt), in: box.store)
  }

  private func offered(_ verdict: Verdict, _ identity: IdentityCheck, label: String = "backup")
    -> [LifetimeChoice]
  {
    LifetimeOffer.all(for: identity, label: label).filter { $0.reason(against: verdict) == nil }.map(\.choice)
  }

  @Test(
    "A new file at the same path is replaced, and its answer takes the old one's place",
    arguments: StoreKind.allCases)
  func replaced(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: Self.script, atoms: [photos]), by: here)
    #expect(try check(Self.script, in: box) == .asSeen)
    var edited = Self.script
    edited.file = FileIdentity(inode: 2, birth: 2)
    #expect(try check(edited, in: box) == .replaced)
    #expect(offered(.allow, .replaced).count == 6)
    #expect(try box.store.standing(of: edited, capability: "photos").decisions.isEmpty)

    try box.store.decide(Ruling(.allow, subject: edited, atoms: [photos]), by: here)
    #expect(try box.store.decisions().map(\.subject) == [edited])
    #expect(try check(edited, in: box) == .asSeen)
    try box.store.undo(by: here)
    #expect(try box.store.decisions().map(\.subject) == [Self.script])
  }

  @Test("A program whose permission has ended is known by it", arguments: StoreKind.allCases)
  func ended(_ kind: StoreKind) throws {
    let box = try kind.make()
    #expect(try check(Self.script, in: box) == .firstTime)
    let ruling = Ruling(.allow, subject: Self.script, atoms: [photos], lifetime: .duration(.seconds(20)))
    try box.store.decide(ruling, by: here)
    box.world.pass(.seconds(21))
    #expect(try box.store.decisions().isEmpty)
    #expect(try check(Self.script, in: box) == .asSeen)
  }

  @Test("A decision that was undone makes no program known", arguments: StoreKind.allCases)
  func undone(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: Self.script, atoms: [photos]), by: here)
    var edited = Self.script
    edited.file = FileIdentity(inode: 2, birth: 2)
    try box.store.decide(Ruling(.allow, subject: edited, atoms: [photos]), by: here)
    #expect(try check(edited, in: box) == .asSeen)
    try box.store.undo(by: here)
    #expect(try check(edited, in: box) == .replaced)
    #expect(try box.store.history(of: edited, capability: "photos").allowed == 0)
    _ = try box.store.take(.redo, by: here)
    #expect(try check(edited, in: box) == .asSeen)
    #expect(try box.store.history(of: edited, capability: "photos").allowed == 1)
  }

  @Test("If only root can replace a file, the path is enough", arguments: StoreKind.allCases)
  func updated(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(
      [Ruling(.allow, subject: Self.script, atoms: [photos]), .mute(Self.script)], by: here)
    var installed = Self.script
    installed.file = nil
    #expect(try check(installed, in: box) == .asSeen)
    let standing = try box.store.standing(of: installed, capability: "photos")
    #expect(standing.allowed == [photos])
    #expect(standing.mute != nil)
    // The new answer replaces the kept one with a number.
    try box.store.decide(Ruling(.deny, subject: installed, atoms: [photos]), by: here)
    #expect(try box.store.decisions(DecisionFilter(capability: "photos")).map(\.subject) == [installed])
  }

  @Test(
    "Another program under a known name is allowed once only, and its denial can be kept",
    arguments: StoreKind.allCases)
  func another(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: Self.script, atoms: [photos]), by: here)
    let found = try check(Self.impostor, in: box)
    #expect(found == .mismatch(seenBefore: "/home/ana/backup.sh"))
    #expect(offered(.allow, found) == [.once])
    #expect(offered(.deny, found).count == 6)
    // Denied by hand, it is no more trusted than before.
    try box.store.decide(Ruling(.deny, subject: Self.impostor, atoms: [Atom("camera")]), by: here)
    #expect(try check(Self.impostor, in: box) == found)
    #expect(try check(Self.script, in: box) == .asSeen)
  }

  private static let impostor = Subject(
    label: "backup", path: "/tmp/backup", file: FileIdentity(inode: 9, birth: 9))

  @Test(
    "A name stays known after its program's decision has ended or was forgotten",
    arguments: StoreKind.allCases)
  func endedName(_ kind: StoreKind) throws {
    let known = IdentityCheck.mismatch(seenBefore: "/home/ana/backup.sh")
    let expired = try kind.make()
    try expired.store.decide(
      Ruling(.allow, subject: Self.script, atoms: [photos], lifetime: .duration(.seconds(20))), by: here)
    expired.world.pass(.seconds(21))
    #expect(try check(Self.impostor, in: expired) == known)

    let forgotten = try kind.make()
    try forgotten.store.decide(Ruling(.allow, subject: Self.script, atoms: [photos]), by: here)
    try forgotten.store.forget(DecisionFilter(label: "backup"), by: here)
    #expect(try check(Self.impostor, in: forgotten) == known)
    #expect(try check(Self.script, in: forgotten) == .asSeen)

    let imported = try kind.make()
    let decisions = try expired.store.decide(
      Ruling(.allow, subject: Self.script, atoms: [photos], lifetime: .forever), by: here)
    try imported.store.importDecisions(decisions, by: .commandLine)
    try imported.store.forget(DecisionFilter(label: "backup"), by: here)
    #expect(try check(Self.impostor, in: imported) == known)
    #expect(try check(Self.script, in: imported) == .asSeen)
  }

  @Test("A name is known by an answer that was not kept, and by one that was, until it is undone")
  func answeredName() throws {
    for lifetime in [LifetimeChoice.once, .forever] {
      let box = try StoreKind.memory.make()
      try box.store.open(request(Self.script))
      try box.store.answer(
        request(Self.script).id, Answer(.allow, atoms: [photos], lifetime: lifetime), by: here)
      #expect(try check(Self.impostor, in: box) == .mismatch(seenBefore: "/home/ana/backup.sh"))
    }
    let undone = try StoreKind.memory.make()
    try undone.store.open(request(Self.script))
    try undone.store.answer(
      request(Self.script).id, Answer(.allow, atoms: [photos], lifetime: .forever), by: here)
    try undone.store.undo(by: here)
    #expect(try check(Self.impostor, in: undone) == .firstTime)
    #expect(try check(Self.script, in: undone) == .firstTime)
  }

  @Test("A name stays known beside any number of later answers and automatic ones")
  func manyAnswers() throws {
    func steps(_ count: Int) throws -> Int {
      let box = try StoreKind.memory.make()
      try box.store.decide(Ruling(.allow, subject: Self.script, atoms: [photos]), by: here)
      for number in 0..<count {
        let atom = Atom("health", "read=\(number)")
        try box.store.decide(Ruling(.deny, subject: Self.impostor, atoms: [atom]), by: here)
        try box.store.record(
          AutomaticAnswer(
            .deny, subject: Self.script, capability: "health", atoms: [atom], reason: "decided \(number)"))
      }
      try box.store.forget(DecisionFilter(label: "backup"), by: here)
      #expect(try check(Self.impostor, in: box) == .mismatch(seenBefore: "/home/ana/backup.sh"))
      _ = try box.store.write { $0.db.takeSteps() }
      _ = try check(Self.impostor, in: box)
      return try box.store.write { $0.db.takeSteps() }
    }
    let few = try steps(3)
    #expect(try steps(300) == few && few > 0)
  }

  @Test("A program in a sandbox that is gone makes its name not known")
  func endedSandbox() throws {
    let box = try StoreKind.memory.make()
    let sandbox = Sandbox(namespace: 7, process: ProcessIdentity(pid: 77, startTime: 7))
    var boxed = Self.script
    boxed.sandbox = sandbox
    box.world.change { $0.running.insert(sandbox.process) }
    try box.store.decide(Ruling(.allow, subject: boxed, atoms: [photos]), by: here)
    #expect(try check(Self.impostor, in: box) == .mismatch(seenBefore: "/home/ana/backup.sh"))
    box.world.change { $0.running.remove(sandbox.process) }
    #expect(try check(Self.impostor, in: box) == .firstTime)
  }

  @Test(
    "A program that was only ever denied is not as seen, and gives its name no credit",
    arguments: StoreKind.allCases)
  func onlyDenied(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.open(request(Self.script))
    try box.store.answer(
      Request.ID("\(Self.script.hashValue)"), Answer(.deny, atoms: [photos], lifetime: .forever),
      by: here)
    #expect(try check(Self.script, in: box) == .onlyDenied)
    #expect(try check(Subject(label: "backup", path: "/usr/bin/backup"), in: box) == .firstTime)
  }

  @Test(
    "A name that looks like a known one is doubted", arguments: ["back\u{443}p", "baсkup", "ba\u{1e0b}kup"])
  func lookAlike(label: String) throws {
    let box = try StoreKind.memory.make()
    try box.store.decide(Ruling(.allow, subject: Self.script, atoms: [photos]), by: here)
    try box.store.decide(
      Ruling(.allow, subject: Subject(label: "badkup", path: "/x"), atoms: [photos]), by: here)
    try box.store.decide(
      Ruling(.allow, subject: Subject(label: "backyp", path: "/y"), atoms: [photos]), by: here)
    let found = try check(
      Subject(label: label, path: "/tmp/evil", file: FileIdentity(inode: 3, birth: 3)), in: box)
    guard case .lookAlike = found else {
      Issue.record("\(found)")
      return
    }
    #expect(offered(.allow, found) == [.once, .process])
    #expect(offered(.deny, found).count == 6)
  }

  @Test("A name that looks like a known one is doubted after a denial, too", arguments: StoreKind.allCases)
  func deniedLookAlike(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: Self.script, atoms: [photos]), by: here)
    let alike = Subject(label: "baсkup", path: "/tmp/evil", file: FileIdentity(inode: 3, birth: 3))
    try box.store.decide(Ruling(.deny, subject: alike, atoms: [photos]), by: here)
    #expect(try check(alike, in: box) == .lookAlike(of: "backup"))
    #expect(try check(Self.script, in: box) == .asSeen)
  }

  @Test(
    "An answer for code without a file is kept for its process at most, for an unreadable program not at all")
  func doubts() throws {
    let box = try StoreKind.memory.make()
    let code = Subject(
      label: "backup", file: nil, fileless: FilelessProgram(process: FixedEnvironment.process, parents: 7))
    #expect(try check(code, in: box, doubt: "it runs code") == .fileless)
    for verdict in Verdict.allCases { #expect(offered(verdict, .fileless) == [.once, .process]) }
    for verdict in Verdict.allCases { #expect(offered(verdict, .unknown) == [.once]) }
    #expect(offered(.allow, .asSeen, label: "\u{455}\u{441}\u{43e}\u{440}\u{435}") == [.once, .process])
  }
}
