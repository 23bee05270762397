import GRDB
import GRDBSQLite
import Machine
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

/// Counts the steps of SQLite's machine, which grow with the rows that it reads, and with nothing else.
@Suite("The steps that a decision and a look-up take", .usesOneThread)
struct StepCountTests {
  private static let agent = Subject(label: "agent", path: "/usr/bin/agent")

  /// A store in which one program has this many decisions about files, every tenth a denial.
  private func store(_ count: Int, for subject: Subject = agent) throws -> any PermissionStore {
    let store = try StoreKind.memory.make().store
    let moment = store.environment.now().wall
    let decisions = try (0..<count).map { number in
      Decision(
        subject: subject, atom: try file("/src/of-\(number % 7)/file-\(number)"),
        verdict: number % 10 == 0 ? .deny : .allow, lifetime: .forever, origin: .library, decidedAt: moment)
    }
    try store.importDecisions(decisions, by: .library)
    return store
  }

  private func file(_ path: String, _ part: String = "read") throws -> Atom {
    Atom("files", part, .path(try AbsolutePath(path)))
  }

  private func folder(_ path: String) throws -> Atom {
    Atom("files", "read", .folder(try AbsolutePath(path)))
  }

  private func steps(of body: (any PermissionStore) throws -> Void, in store: any PermissionStore) throws
    -> Int
  {
    try body(store)
    _ = try store.write { $0.db.takeSteps() }
    try body(store)
    return try store.write { $0.db.takeSteps() }
  }

  /// Returns the steps of an action among few decisions, and among many.
  private func steps(
    for subject: Subject = agent, _ body: (any PermissionStore) throws -> Void
  ) throws -> (few: Int, many: Int) {
    (try steps(of: body, in: store(40, for: subject)), try steps(of: body, in: store(2_000, for: subject)))
  }

  @Test(
    "A decision about a value takes as many steps beside many values as beside few",
    arguments: Verdict.allCases)
  func decision(_ verdict: Verdict) throws {
    let new = try file("/src/of-1/new")
    let steps = try steps { store in
      try store.decide(Ruling(verdict, subject: Self.agent, atoms: [new]), by: here)
    }
    #expect(steps.many == steps.few && steps.few > 0)
    #expect(steps.many > 0)
  }

  @Test("A decision about a folder reads only what is inside it", arguments: Verdict.allCases)
  func folderDecision(_ verdict: Verdict) throws {
    let folder = try folder("/srv")
    let steps = try steps { store in
      try store.decide(Ruling(.allow, subject: Self.agent, atoms: [try file("/srv/a")]), by: here)
      try store.decide(Ruling(verdict, subject: Self.agent, atoms: [folder]), by: here)
    }
    #expect(steps.many == steps.few && steps.few > 0)
  }

  @Test(
    "Undoing and redoing many decisions takes as many steps for each as undoing few",
    arguments: [HistoryStep.undo, .redo])
  func history(_ step: HistoryStep) throws {
    let steps = try [40, 2_000].map { count in
      let store = try store(count)
      if step == .redo { try store.undo(by: here) }
      _ = try store.write { $0.db.takeSteps() }
      try store.take(step, by: here)
      return try store.write { $0.db.takeSteps() } / count
    }
    #expect(steps[1] > 0 && steps[1] <= steps[0])
  }

  @Test("A denial for a program does not read the decisions of another one under the same label")
  func otherProgram() throws {
    let other = Subject(label: "agent", path: "/usr/bin/another")
    let steps = try steps(for: other) { store in
      try store.decide(Ruling(.deny, subject: Self.agent, atoms: [Atom("files", "read")]), by: here)
    }
    #expect(steps.many == steps.few && steps.few > 0)
  }

  @Test(
    "A decision writes a page of each table and index that it concerns, and no other",
    arguments: [false, true])
  func pages(hasValue: Bool) throws {
    let box = try StoreKind.sqlite.make()
    let log = try #require(box.store as? SQLiteStore).paths.log
    func decide(_ number: Int) throws {
      let subject = Subject(label: "program-\(number)", path: "/usr/bin/program-\(number)")
      let atom = hasValue ? try file("/srv/\(number)") : Atom("photos", "read")
      try box.store.decide(Ruling(.allow, subject: subject, atoms: [atom]), by: here)
    }
    for number in 0..<5 { try decide(number) }
    let before = try #require(try FileStatus.find(log)).size
    try decide(5)
    let written = (try #require(try FileStatus.find(log)).size - before) / (4_096 + 24)
    // Two or three of the decisions, one of the tallies, and three of the journal.
    #expect(written == (hasValue ? 7 : 6))
  }

  @Test("A denial of everything takes back what is allowed about all values and about one")
  func denialOfEverything() throws {
    let store = try store(0)
    let (whole, part) = (Atom("files", "read"), try file("/srv/a"))
    try store.decide(Ruling(.allow, subject: Self.agent, atoms: [part]), by: here)
    try store.decide(Ruling(.allow, subject: Self.agent, atoms: [Atom("files", "write")]), by: here)
    let kept = try store.keep([Ruling(.deny, subject: Self.agent, atoms: [whole])], by: here)
    #expect(kept.takenBack == 2)
    #expect(try store.decisions().map(\.atom) == [whole])
  }

  @Test("A look-up of a value takes as many steps beside many values as beside few")
  func lookUp() throws {
    let asked = try file("/src/of-3/file-3")
    let steps = try steps { store in
      _ = try store.standing(of: Self.agent, capability: "files", asking: [asked])
    }
    #expect(steps.many == steps.few && steps.few > 0)
  }

  @Test("A look-up of no part at all finds nothing that is decided about a part")
  func noParts() throws {
    let store = try store(10)
    #expect(try store.standing(of: Self.agent, capability: "files", asking: []).decisions.isEmpty)
  }

  @Test("A look-up of a folder reads only the denials inside it")
  func folderLookUp() throws {
    let asked = try folder("/src")
    func steps(_ allowed: Int) throws -> Int {
      let store = try StoreKind.memory.make().store
      let files = try (0..<allowed).map { try file("/src/\($0)") }
      try store.decide(Ruling(.allow, subject: Self.agent, atoms: Set(files)), by: here)
      try store.decide(Ruling(.deny, subject: Self.agent, atoms: [try file("/src/secret")]), by: here)
      let judge = Judge(of: Self.agent, Capability.Files.definition, under: .none)
      let verdict = try store.judgement(on: [asked], by: judge).outlook.verdict
      #expect(verdict == .deny, "The denial inside the folder was not read.")
      return try self.steps(
        of: { _ = try $0.standing(of: Self.agent, capability: "files", asking: [asked]) }, in: store)
    }
    let few = try steps(10)
    #expect(try steps(1_000) == few && few > 0)
  }

  @Test("Statements are not kept for every number of keys and folders that a program can choose")
  func keptStatements() throws {
    let store = try StoreKind.memory.make().store
    try store.decide(Ruling(.deny, subject: Self.agent, atoms: [try file("/srv/1/secret")]), by: here)
    func look(_ atoms: Set<Atom>) throws -> Int {
      try store.standing(of: Self.agent, capability: "files", asking: atoms).decisions.count
    }
    func kept() throws -> Int { try store.write { $0.db.statements.count } }
    _ = try (look([try folder("/srv")]), kept())
    let before = try kept()
    for count in 2...20 {
      #expect(try look(Set((1...count).map { try folder("/srv/\($0)") })) == 1)
      #expect(try look([try file(String(repeating: "/a", count: 70 * count))]) == 0)
    }
    #expect(try kept() == before)
  }
}

extension Database {
  /// Returns the number of steps that the connection's statements took since the last call.
  func takeSteps() -> Int {
    statements.map { Int(sqlite3_stmt_status($0, SQLITE_STMTSTATUS_VM_STEP, 1)) }.reduce(0, +)
  }

  /// The connection's statements, prepared and not finalized.
  fileprivate var statements: [OpaquePointer] {
    var all: [OpaquePointer] = []
    var statement = sqlite3_next_stmt(sqliteConnection, nil)
    while let one = statement {
      all.append(one)
      statement = sqlite3_next_stmt(sqliteConnection, one)
    }
    return all
  }
}
