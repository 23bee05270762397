import Foundation
import GRDB
import PermModelTesting
import Testing

@testable import PermModel

/// Stores as earlier programs left them: one that version 0.1.0 wrote itself, larger ones with the same tables, and one of
/// a later format. Their rows are spelled out, so that a changed text form is noticed.
@Suite("Upgrades from earlier formats")
struct UpgradeTests {
  private let world = FixedEnvironment()
  private let count = setting("PERMTUI_UPGRADE_DECISIONS", 5_000)

  @Test("Every decision is still there, and a backup of the older store was made", .timeLimit(.minutes(5)))
  func everyDecision() throws {
    let folder = try TestFolder()
    try fill(folder)
    let start = ContinuousClock.now
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
    print("\(count) decisions of version 0.1.0 were upgraded in \(ContinuousClock.now - start)")

    let kept = try store.decisions()
    #expect(kept.count == count)
    #expect(Set(kept) == Set((0..<count).map(expected)))
    let sums = try store.overview(names: 0).capabilities
    #expect(sums.reduce(0) { $0 + $1.allowed + $1.denied } == count)

    let backups = StoreBackups(paths: StorePaths(path: folder.storePath)).list()
    #expect(backups.map(\.madeAt) == [world.wall])
    let backup = try PlainWriter(path: try #require(backups.first).path)
    #expect(try backup.number("PRAGMA user_version") == 2)
    #expect(try backup.number("SELECT count(*) FROM decisions") == count)
  }

  @Test("Odd names of containers become names, and come back from an export and from their text form")
  func oddNames() throws {
    let names = [
      "a,b", "*", "@", "a@b", " a ", "a\tb\n", "\u{1b}[31m", "\u{202e}", "…", "\\",
      String(repeating: "é", count: 128),
      String(repeating: "x", count: 5_000),
    ]
    let folder = try TestFolder()
    try fill(
      folder,
      names.map {
        ["p", "", "cloud", "read@\($0)", "deny", "forever", "command-line", nil, 1_000, nil, nil, nil, nil]
      })
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
    let kept = try store.decisions()
    #expect(Set(kept.map(\.atom)) == Set(names.map { Atom("cloud", "read", .name($0)) }))
    for name in names {
      let atom = Atom("cloud", "read", .name(name))
      let standing = try store.standing(of: Subject(label: "p"), capability: "cloud", asking: [atom])
      #expect(standing.denied == [atom])
      guard name.utf8.count <= Scope.longestName else { continue }
      #expect(try CapabilityCatalogue.builtIn.parse("\(atom)").atoms == [atom])
    }
    // A name that is too long for a request can be forgotten, but not be imported.
    let short = kept.filter { $0.atom.scope.text.utf8.count < 5_000 }
    #expect(short.count == names.count - 1)
    #expect(try DecisionLines.decode(try DecisionLines.encode(short)) == short)
    #expect(throws: StoreError.self) { try DecisionLines.decode(try DecisionLines.encode(kept)) }
    #expect(try store.forget(DecisionFilter(label: "p"), by: .commandLine).count == names.count)
  }

  @Test("Decisions, journal, the waiting request and undo continue where version 0.1.0 left them")
  func written() throws {
    let asker = ProcessIdentity(pid: 5046, startTime: 8_659_972)
    world.change {
      $0.wall = Timestamp(seconds: 1_795_397_700)
      $0.running.insert(asker)
    }
    let folder = try TestFolder()
    try make(folder) { db in try db.execute(sql: Self.file("store.sql")) }
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)

    // That version did not say which sandbox a decision was about, so such decisions have ended.
    let lines = try Self.file("export.jsonl").split(separator: "\n").filter { !$0.contains("sandboxed") }
    let exported = try DecisionLines.decode(lines.map(String.init))
    #expect(exported.count == 9)
    #expect(Set(try store.decisions()) == Set(exported))
    let entries = try store.journal(.all, .newer(than: 0, 100))
    #expect(entries.map { Int($0.id) } == Array(1...25))
    #expect(entries.first { $0.kind == .automatic }?.count == 3)
    let waiting = try store.waitingRequests()
    #expect(waiting.map(\.process) == [asker])
    #expect(waiting.map(\.request.reason) == ["release for sync-4"])
    #expect(waiting.map(\.request.subject.path) == ["/home/ana/bin/sync.sh"])
    #expect(waiting.map(\.request.atoms) == [[Atom("deploy", "use")]])

    try store.undo(by: .commandLine)
    let walker = DecisionFilter(label: "walker")
    #expect(try store.decisions(walker).map(\.atom) == [Atom("health", "share=steps")])
    try store.take(.redo, by: .commandLine)
    #expect(Set(try store.decisions()) == Set(exported))
    try store.answer(waiting[0].request.id, Answer(.deny, atoms: waiting[0].request.atoms), by: .commandLine)
    #expect(try store.waitingRequests().isEmpty)
  }

  @Test("A store of format 6 keeps its decisions, counts and history, and gets the tables of a new store")
  func fewerIndices() throws {
    world.change { $0.wall = Timestamp(seconds: 1_795_468_500) }
    let folder = try TestFolder()
    try make(folder) { db in try db.execute(sql: Self.file("store.sql", of: "Format6")) }
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
    let lines = try Self.file("export.jsonl", of: "Format6").split(separator: "\n").map(String.init)
    #expect(Set(try store.decisions()) == Set(try DecisionLines.decode(lines)))
    let backup = try #require(StoreBackups(paths: StorePaths(path: folder.storePath)).list().first)
    #expect(try PlainWriter(path: backup.path).number("PRAGMA user_version") == 6)

    // Of two decisions about photos, one with a value, only the first and the last change the count.
    func photos() throws -> [Int] {
      let sums = try store.overview(names: 0).capabilities.first { $0.capability == "photos" }
      return [try #require(sums).allowed, try #require(sums).denied]
    }
    let (whole, value) = (Atom("photos", "read"), Atom("photos", "read", .name("album")))
    let ana = Subject(label: "ana", path: "/usr/bin/ana")
    #expect(try photos() == [0, 1])
    for (atom, verdict, expected) in [
      (whole, Verdict.allow, [1, 1]), (value, .allow, [1, 1]), (value, .deny, [1, 2]),
      (whole, .deny, [0, 2]),
    ] {
      try store.decide(Ruling(verdict, subject: ana, atoms: [atom]), by: .commandLine)
      #expect(try photos() == expected)
    }
    for expected in [[1, 2], [1, 1], [1, 1], [0, 1]] {
      try store.take(.undo, by: .commandLine)
      #expect(try photos() == expected)
    }
    try store.undo(by: .commandLine)
    #expect(try store.decisions(DecisionFilter(label: "builder")).isEmpty)
  }

  @Test("Decisions, journal, the waiting request and undo continue where version 0.2.0 left them")
  func version2() throws {
    let asker = ProcessIdentity(pid: 22077, startTime: 352_697)
    world.change {
      ($0.wall, $0.session) = (Timestamp(seconds: 1_795_706_150), "e2f53c1e34c8c69ddf43385cb3654a96")
      $0.running.insert(asker)
    }
    let folder = try TestFolder()
    try make(folder) { db in try db.execute(sql: Self.file("store.sql", of: "Version0.2.0")) }
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
    let lines = try Self.file("export.jsonl", of: "Version0.2.0").split(separator: "\n").map(String.init)
    let exported = try DecisionLines.decode(lines)
    #expect(exported.count == 13)
    let different = Set(try store.decisions()).symmetricDifference(exported)
    #expect(different == [], "\(different)")
    let backup = try #require(StoreBackups(paths: StorePaths(path: folder.storePath)).list().first)
    #expect(try PlainWriter(path: backup.path).number("PRAGMA user_version") == 7)

    let entries = try store.journal(.all, .newer(than: 0, 100))
    #expect(entries.map { Int($0.id) } == Array(1...24))
    #expect(entries.filter { $0.kind == .automatic }.map(\.count) == [3, 1, 1])
    #expect(entries.allSatisfy { $0.decision == nil && $0.values.isEmpty && !$0.isKept })
    let waiting = try #require(try store.waitingRequests().first)
    #expect(waiting.process == asker && waiting.request.reason == "a note")
    try store.answer(
      waiting.id, Answer(.allow, atoms: waiting.request.atoms, lifetime: .forever), by: .commandLine)
    #expect(try store.journal(.all, .newest(2)).contains { $0.kind == .answered && $0.isKept })
    for _ in 1...2 { try store.take(.undo, by: .commandLine) }
    #expect(try store.decisions(.mutes).isEmpty)
  }

  @Test("A store of any earlier format has the same tables, indices and triggers as a new one")
  func sameSchema() throws {
    let schema =
      "SELECT group_concat(type || ' ' || sql, char(10)) FROM (SELECT * FROM sqlite_master ORDER BY name)"
    let new = try TestFolder()
    _ = try SQLiteStore(path: new.storePath, environment: world.environment)
    let expected = try PlainWriter(path: new.storePath).text(schema)
    for name in ["Version0.1.0", "Format6", "Version0.2.0"] {
      let folder = try TestFolder()
      try make(folder) { db in try db.execute(sql: Self.file("store.sql", of: name)) }
      _ = try SQLiteStore(path: folder.storePath, environment: world.environment)
      #expect(try PlainWriter(path: folder.storePath).text(schema) == expected)
    }
  }

  private func fill(_ folder: TestFolder) throws { try fill(folder, (0..<count).map(row)) }

  private func fill(_ folder: TestFolder, _ rows: [StatementArguments]) throws {
    try make(folder) { db in
      let lines = try Self.file("store.sql").split(separator: "\n")
      try db.execute(sql: lines.filter { !$0.hasPrefix("INSERT INTO ") }.joined(separator: "\n"))
      let statement = try db.makeStatement(sql: Self.insertion)
      for row in rows { try statement.execute(arguments: row) }
    }
  }

  /// Makes the file of a store, in a folder that has what else belongs to one.
  private func make(_ folder: TestFolder, _ body: (Database) throws -> Void) throws {
    _ = try SQLiteStore(path: folder.storePath, environment: world.environment)
    try FileManager.default.removeItem(atPath: folder.storePath)
    try PlainWriter(path: folder.storePath).use { db in
      try StoreSchema.keepLog(db)
      try db.inTransaction {
        try body(db)
        return .commit
      }
    }
    chmod(folder.storePath, 0o600)
  }

  /// Reads a file that an earlier program wrote.
  private static func file(_ name: String, of program: String = "Version0.1.0") throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: program)
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  private static let insertion = """
    INSERT INTO decisions (label, program, capability, atom, verdict, lifetime, origin, note, decided_at, last_used,
      ends_at, ends_boot, ends_boot_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private static let atoms: [(capability: String, text: String, atom: Atom)] = [
    ("photos", "read", Atom("photos", "read")), ("health", "share=steps", Atom("health", "share=steps")),
    ("cloud", "read@nas", Atom("cloud", "read", .name("nas"))), ("deploy", "use", Atom("deploy", "use")),
  ]

  /// The end of the decisions that have one: an hour from now.
  private var deadline: Deadline {
    Deadline(wall: world.wall + .seconds(3_600), bootID: "boot-1", bootTime: 9_000_000_000)
  }

  /// Returns a row as version 0.1.0 wrote it. Each program has one decision on each of four capabilities.
  private func row(_ number: Int) -> StatementArguments {
    let program = number / Self.atoms.count
    let (capability, atom, _) = Self.atoms[number % Self.atoms.count]
    let end: Int64? = number % 3 == 0 ? deadline.wall.microseconds : nil
    var row: StatementArguments = [
      "program-\(program)", program % 5 == 0 ? "" : "/home/ana/bin/p\(program)\t\(program):77\t",
    ]
    row += [capability, atom, number % 2 == 0 ? "allow" : "deny"]
    row += [end.map { "until \($0) 9000000000 boot-1" } ?? "forever", "command-line"]
    row += [number % 7 == 0 ? "note \(number)" : nil, 1_000 + number, number % 4 == 0 ? 2_000 + number : nil]
    row += [end, end.map { _ in "boot-1" }, end.map { _ in 9_000_000_000 }]
    return row
  }

  /// Returns the decision that the row with this number represents.
  private func expected(_ number: Int) -> Decision {
    let program = number / Self.atoms.count
    var subject = Subject(label: "program-\(program)")
    if program % 5 != 0 {
      subject.path = "/home/ana/bin/p\(program)"
      subject.file = FileIdentity(inode: UInt64(program), birth: 77)
    }
    return Decision(
      subject: subject, atom: Self.atoms[number % Self.atoms.count].atom,
      verdict: number % 2 == 0 ? .allow : .deny, lifetime: number % 3 == 0 ? .until(deadline) : .forever,
      origin: .commandLine, note: number % 7 == 0 ? "note \(number)" : nil,
      decidedAt: Timestamp(microseconds: Int64(1_000 + number)),
      lastUsed: number % 4 == 0 ? Timestamp(microseconds: Int64(2_000 + number)) : nil)
  }
}
