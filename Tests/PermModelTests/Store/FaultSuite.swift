import Foundation
import GRDB
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Faults of the file")
struct FaultTests {
  private let world = FixedEnvironment()

  private func open(_ folder: TestFolder) throws -> SQLiteStore {
    try SQLiteStore(path: folder.storePath, environment: world.environment)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("File and folder are made for their owner alone")
  func modes() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    #expect(try mode(folder.path + "/permtui") == 0o700)
    for ending in [".sqlite", ".sqlite-wal", ".sqlite-shm", ".changed", ".lock"] {
      #expect(try mode(folder.path + "/permtui/permissions" + ending) == 0o600)
    }
  }

  @Test("A file that others may read is closed to them")
  func tightened() throws {
    let folder = try TestFolder()
    _ = try open(folder)
    #expect(chmod(folder.storePath, 0o644) == 0)
    _ = try open(folder)
    #expect(try mode(folder.storePath) == 0o600)
  }

  @Test("A link in place of the file or of its folder is refused")
  func links() throws {
    let folder = try TestFolder()
    _ = try open(folder)
    let files = FileManager.default
    let fileLink = folder.path + "/link.sqlite"
    try files.createSymbolicLink(atPath: fileLink, withDestinationPath: folder.storePath)
    #expect(throws: StoreError.symbolicLink(path: fileLink)) {
      try SQLiteStore(path: fileLink, environment: world.environment)
    }
    let folderLink = folder.path + "/link"
    try files.createSymbolicLink(atPath: folderLink, withDestinationPath: folder.path + "/permtui")
    #expect(throws: StoreError.symbolicLink(path: folderLink)) {
      try SQLiteStore(path: folderLink + "/permissions.sqlite", environment: world.environment)
    }
  }

  @Test("A folder that others may write to is refused")
  func openFolder() throws {
    let folder = try TestFolder()
    #expect(chmod(folder.path, 0o777) == 0)
    let path = folder.path + "/permissions.sqlite"
    #expect(throws: StoreError.openFolder(path: folder.path, mode: 0o777)) {
      try SQLiteStore(path: path, environment: world.environment)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("Something else in the file's place is refused and left alone")
  func wrongKind() throws {
    let folder = try TestFolder()
    let path = folder.path + "/folder.sqlite"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: StoreError.wrongKind(path: path, expected: "a file")) {
      try SQLiteStore(path: path, environment: world.environment)
    }
    let other = folder.path + "/other.sqlite"
    try PlainWriter(path: other).execute("CREATE TABLE music (title TEXT)")
    #expect(throws: StoreError.wrongKind(path: other, expected: "a store of permtui")) {
      try SQLiteStore(path: other, environment: world.environment)
    }
    #expect(try PlainWriter(path: other).number("SELECT count(*) FROM sqlite_master") == 1)
  }

  @Test(
    "Commits are flushed, also after one that need not be: synchronous is FULL on the connection that writes")
  func synchronous() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    let query = "PRAGMA synchronous"
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    #expect(try store.write { try Int.fetchOne($0.db, sql: query) } == 2)
    #expect(try store.write(surviving: .processEnd) { try Int.fetchOne($0.db, sql: query) } == 1)
    #expect(throws: (any Error).self) {
      try store.write(surviving: .processEnd) { _ in throw CancellationError() }
    }
    #expect(try store.write { try Int.fetchOne($0.db, sql: query) } == 2)
    #expect(try PlainWriter(path: folder.storePath).text("PRAGMA journal_mode") == "wal")
  }

  @Test("A file from a newer version is refused, with both versions named, and left alone")
  func newer() throws {
    let folder = try TestFolder()
    try open(folder).decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let (known, newer) = (StoreSchema.steps.count, StoreSchema.steps.count + 1)
    try PlainWriter(path: folder.storePath).execute("PRAGMA user_version = \(newer)")
    let error = StoreError.newerVersion(path: folder.storePath, found: newer, known: known)
    #expect(throws: error) { try open(folder) }
    #expect(error.description.contains("format \(newer)"))
    #expect(error.description.contains("formats up to \(known)"))
    #expect(try PlainWriter(path: folder.storePath).number("PRAGMA user_version") == newer)
  }

  @Test("A file from an older version is backed up and brought up step by step, once")
  func older() throws {
    let folder = try TestFolder()
    let kept = try open(folder).decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let step = StoreSchema.Step(name: "a colour", sql: "ALTER TABLE decisions ADD COLUMN colour TEXT;")
    let newer = StoreSchema(path: folder.storePath, steps: StoreSchema.steps + [step])
    let backups = StoreBackups(paths: StorePaths(path: folder.storePath))
    let writer = try PlainWriter(path: folder.storePath)
    for _ in 0..<2 {
      try writer.use { db in
        try newer.migrate(db) { _ = try backups.make(of: db, at: world.wall) }
      }
    }
    #expect(try writer.number("PRAGMA user_version") == newer.version)
    #expect(
      try writer.text("SELECT name FROM pragma_table_info('decisions') WHERE name = 'colour'") == "colour")
    #expect(backups.list().map(\.madeAt) == [world.wall])
    let before = try SQLiteStore(path: backups.list()[0].path, environment: world.environment)
    #expect(try before.decisions() == kept)
  }

  @Test("A file of each older format opens", arguments: 1..<StoreSchema.steps.count)
  func olderFormat(format: Int) throws {
    let folder = try TestFolder()
    _ = try open(folder)
    try FileManager.default.removeItem(atPath: folder.storePath)
    let old = StoreSchema(path: folder.storePath, steps: Array(StoreSchema.steps.prefix(format)))
    let writer = try PlainWriter(path: folder.storePath)
    try writer.use { db in try old.migrate(db) {} }
    chmod(folder.storePath, 0o600)
    let store = try open(folder)
    let kept = try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    #expect(try store.decisions() == kept)
    #expect(try writer.number("PRAGMA user_version") == StoreSchema.steps.count)
  }

  @Test("Containers that were part of an atom's name become scopes, and are counted as before")
  func containers() throws {
    let folder = try TestFolder()
    _ = try open(folder)
    try FileManager.default.removeItem(atPath: folder.storePath)
    let old = StoreSchema(path: folder.storePath, steps: Array(StoreSchema.steps.prefix(4)))
    let writer = try PlainWriter(path: folder.storePath)
    try writer.use { db in try old.migrate(db) {} }
    chmod(folder.storePath, 0o600)
    for (name, verdict) in [
      ("read@nas", "allow"), ("write@b,c@d", "deny"), ("read", "allow"), ("read@", "deny"),
    ] {
      try writer.execute(
        """
        INSERT INTO decisions (label, program, capability, atom, verdict, lifetime, origin, decided_at)
        VALUES ('backup', '', 'cloud', '\(name)', '\(verdict)', 'forever', 'command-line', 1)
        """)
    }
    try writer.execute(
      """
      INSERT INTO journal (at, kind, label, program, capability, atoms, verdict, count)
      VALUES (1, 'answered', 'backup', '', 'cloud', 'read@nas,write', 'allow', 1)
      """)
    let store = try open(folder)
    let atoms = [
      Atom("cloud", "read"), Atom("cloud", "write", .name("b,c@d")), Atom("cloud", "read", .name("nas")),
      Atom("cloud", "read", .name("")),
    ]
    #expect(Set(try store.decisions().map(\.atom)) == Set(atoms))
    #expect(
      try store.journal(.all, .newest(1)).first?.atoms == [
        Atom("cloud", "write"), Atom("cloud", "read", .name("nas")),
      ])
    let tally = try #require(try store.overview(names: 0).capabilities.first { $0.capability == "cloud" })
    #expect(tally.allowed == 1 && tally.denied == 1)
  }

  @Test("A damaged format number leads to no migration", arguments: 1..<StoreSchema.steps.count)
  func understatedFormat(_ format: Int) throws {
    let folder = try TestFolder()
    let atom = Atom("files", "read", .path(try AbsolutePath("/srv/a")))
    let kept = try open(folder).decide(Ruling(.allow, subject: backup, atoms: [atom]), by: here)
    let writer = try PlainWriter(path: folder.storePath)
    try writer.execute("PRAGMA user_version = \(format)")
    let error = #expect(throws: StoreError.self) { try open(folder) }
    let isDamaged = if case .damaged? = error { true } else { false }
    #expect(isDamaged, "\(String(describing: error))")
    #expect(StoreCheckup(path: folder.storePath, now: world.wall).isDamaged)
    #expect(StoreRecovery(path: folder.storePath, environment: world.environment).backups.isEmpty)
    #expect(try writer.number("PRAGMA user_version") == format)
    try writer.execute("PRAGMA user_version = \(StoreSchema.steps.count)")
    #expect(try open(folder).decisions() == kept)
  }

  @Test("A step that fails changes nothing and is named")
  func failedStep() throws {
    let folder = try TestFolder()
    _ = try open(folder)
    let step = StoreSchema.Step(
      name: "a mistake", sql: "CREATE TABLE extra (a TEXT); INSERT INTO nowhere VALUES (1);")
    let schema = StoreSchema(path: folder.storePath, steps: StoreSchema.steps + [step])
    let writer = try PlainWriter(path: folder.storePath)
    let error = #expect(throws: StoreError.self) {
      try storeErrors(at: folder.storePath) { try writer.use { db in try schema.migrate(db) {} } }
    }
    #expect(error?.description.contains("a mistake") == true)
    #expect(try writer.number("PRAGMA user_version") == StoreSchema.steps.count)
    #expect(try writer.number("SELECT count(*) FROM sqlite_master WHERE name = 'extra'") == 0)
  }
}
