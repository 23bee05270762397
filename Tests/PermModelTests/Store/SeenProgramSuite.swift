import PermModelTesting
import Testing

@testable import PermModel

@Suite("Decisions for programs in doubt and in sandboxes")
struct SeenProgramTests {
  private static let other = ProcessIdentity(pid: 101, startTime: 2)

  private func app(in sandbox: Sandbox?) -> Subject {
    Subject(label: "app", path: "/usr/bin/app", file: FileIdentity(inode: 4, birth: 4), sandbox: sandbox)
  }

  private func code(_ process: ProcessIdentity, label: String = "backup") -> Subject {
    Subject(label: label, file: nil, fileless: FilelessProgram(process: process, parents: 7))
  }

  @Test("A program is read back from its text, whatever its path contains")
  func programText() {
    let folder = ProgramFolder(path: "/home/ana/a\tb", device: 1, inode: 2)
    let process = ProcessIdentity(pid: 3, startTime: 4)
    let paths = [nil, "/usr/bin/a", "/tmp/a\tb\t", "/tmp/in 1 2 /x\t5:6\t"]
    let folders = [nil, folder, .unknown]
    for path in paths {
      for folder in folders {
        let subjects = [
          Subject(label: "a", path: path, file: nil, folder: folder),
          Subject(label: "a", path: path, file: FileIdentity(inode: 5, birth: -6), folder: folder),
          Subject(
            label: "a", path: path, file: nil, fileless: FilelessProgram(process: process, parents: 7),
            sandbox: Sandbox(namespace: 8, process: process), folder: folder),
        ]
        for subject in subjects { #expect(Subject(label: "a", programText: subject.programText) == subject) }
      }
    }
  }

  @Test(
    "Two sandboxes never share a decision, not even with the same number one after the other",
    arguments: StoreKind.allCases)
  func sandboxes(_ kind: StoreKind) throws {
    let box = try kind.make()
    let first = app(in: Sandbox(namespace: 5, process: FixedEnvironment.process))
    try box.store.decide(Ruling(.allow, subject: first, atoms: [photos]), by: here)
    #expect(try box.store.standing(of: first, capability: "photos").allowed == [photos])
    let others = [
      app(in: Sandbox(namespace: 6, process: FixedEnvironment.process)),
      app(in: Sandbox(namespace: 5, process: Self.other)),
      app(in: .unknown), app(in: nil),
    ]
    for other in others { #expect(try box.store.standing(of: other, capability: "photos").decisions.isEmpty) }
  }

  @Test("A decision ends with its sandbox, which the next change journals", arguments: StoreKind.allCases)
  func end(_ kind: StoreKind) throws {
    let box = try kind.make()
    let inside = app(in: Sandbox(namespace: 5, process: FixedEnvironment.process))
    try box.store.decide(
      [Ruling(.allow, subject: inside, atoms: [photos]), Ruling(.allow, subject: thumbs, atoms: [photos])],
      by: here)
    box.world.change { $0.running = [] }
    #expect(try box.store.standing(of: inside, capability: "photos").decisions.isEmpty)
    #expect(try box.store.decisions().map(\.subject) == [thumbs])
    try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    let expired = try box.store.journal(JournalFilter(kinds: [.expired]), .newest(9))
    #expect(expired.map(\.subject) == [inside])
  }

  @Test(
    "An allow for a label alone shows itself to no sandbox and no doubt; a denial holds for all",
    arguments: StoreKind.allCases)
  func unbound(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(
      [
        Ruling(.allow, subject: Subject(label: "backup"), atoms: [photos]),
        Ruling(.deny, subject: Subject(label: "backup"), atoms: [Atom("camera")]),
      ], by: here)
    let doubtful = [
      code(FixedEnvironment.process),
      Subject(
        label: "backup", path: "/b", file: nil,
        sandbox: Sandbox(namespace: 5, process: FixedEnvironment.process)),
    ]
    for subject in doubtful {
      #expect(!subject.isUnbound)
      #expect(try box.store.standing(of: subject, capability: "photos").decisions.isEmpty)
      #expect(try box.store.standing(of: subject, capability: "camera").denied == [Atom("camera")])
      let used = try box.store.decisions(DecisionFilter(capability: "photos"))
      try box.store.record(
        AutomaticAnswer(
          .allow, subject: subject, capability: "photos", atoms: [photos], reason: "", decisions: used))
    }
    #expect(try box.store.standing(of: backup, capability: "photos").allowed == [photos])
    let kept = try box.store.decisions(DecisionFilter(capability: "photos"))
    #expect(kept.map(\.subject) == [Subject(label: "backup")])
  }

  @Test(
    "A program without a file is known by its process, and muted with all others of the same parents",
    arguments: StoreKind.allCases)
  func fileless(_ kind: StoreKind) throws {
    let box = try kind.make()
    let ruling = Ruling(
      .allow, subject: code(FixedEnvironment.process), atoms: [photos], lifetime: .process,
      process: FixedEnvironment.process)
    let kept = try box.store.decide(ruling, by: here)
    #expect(try box.store.decisions() == kept)
    #expect(
      try box.store.standing(of: code(FixedEnvironment.process), capability: "photos").allowed == [photos])
    #expect(try box.store.standing(of: code(Self.other), capability: "photos").decisions.isEmpty)
    try box.store.decide(.mute(code(FixedEnvironment.process)), by: here)
    #expect(try box.store.standing(of: code(Self.other, label: "another"), capability: "photos").mute != nil)
    var elsewhere = code(Self.other)
    elsewhere.fileless?.parents = 8
    #expect(try box.store.standing(of: elsewhere, capability: "photos").mute == nil)
  }

  @Test("Decisions that earlier versions kept for sandboxes that they did not tell apart have ended")
  func oldSandboxes() throws {
    let folder = try TestFolder()
    let world = FixedEnvironment()
    _ = try SQLiteStore(path: folder.storePath, environment: world.environment)
    let writer = try PlainWriter(path: folder.storePath)
    try writer.execute(
      """
      INSERT INTO decisions (label, program, capability, scope, atom, verdict, lifetime, origin, decided_at)
      VALUES ('app', '/a' || char(9) || '4:4' || char(9) || 'sandboxed', 'photos', x'', 'read', 'allow', 'forever',
        'terminal', 1), ('app', '/a' || char(9) || '4:4' || char(9), 'photos', x'', 'read', 'allow', 'forever', 'terminal', 1)
      """)
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
    let outside = Subject(label: "app", path: "/a", file: FileIdentity(inode: 4, birth: 4))
    #expect(try store.decisions().map(\.subject) == [outside])
    try store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    let expired = try store.journal(JournalFilter(kinds: [.expired]), .newest(9))
    #expect(expired.map(\.subject?.sandbox) == [.unknown])
  }
}
