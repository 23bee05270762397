import Foundation
import Machine
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Damage, and ways back from it")
struct DamageTests {
  private let world = FixedEnvironment()

  private func open(_ folder: TestFolder) throws -> SQLiteStore {
    try SQLiteStore(path: folder.storePath, environment: world.environment)
  }

  /// Overwrites a part of the file.
  private func damage(_ folder: TestFolder, at offset: UInt64, count: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.storePath))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data(repeating: 0xA5, count: count))
    try file.close()
  }

  private func damaged(_ error: StoreError?) -> Bool {
    if case .damaged? = error { true } else { false }
  }

  @Test("A file that is no database any more is told as damaged and not touched")
  func header() throws {
    let folder = try TestFolder()
    _ = try open(folder)
    try damage(folder, at: 0, count: 64)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.storePath))
    #expect(damaged(#expect(throws: StoreError.self) { try open(folder) }))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.storePath)) == before)
  }

  @Test("A damaged page is told as damage by whoever meets it")
  func page() throws {
    let folder = try TestFolder()
    let decisions = (0..<2_000).map { number in
      Decision(
        subject: Subject(label: "program \(number)"), atom: photos, verdict: .allow, lifetime: .forever,
        origin: here, decidedAt: world.wall)
    }
    try open(folder).importDecisions(decisions, by: here)
    let size = try FileManager.default.attributesOfItem(atPath: folder.storePath)[.size] as? UInt64 ?? 0
    try damage(folder, at: 4_096 * 2, count: Int(size) - 4_096 * 2)
    let error = #expect(throws: StoreError.self) { try open(folder).decisions() }
    #expect(damaged(error))
    #expect(error?.description.contains("doctor") == true)
  }

  /// Runs SQL that no version of the program runs, and closes the file again.
  private func spoil(_ folder: TestFolder, _ sql: String) throws {
    try PlainWriter(path: folder.storePath).execute(sql)
  }

  @Test("A format below the first is told as damage", arguments: [-1, 0, Int(Int32.min)])
  func impossibleFormat(_ format: Int) throws {
    let folder = try TestFolder()
    _ = try open(folder)
    try spoil(folder, "PRAGMA user_version = \(format)")
    #expect(damaged(#expect(throws: StoreError.self) { try open(folder) }))
    #expect(StoreCheckup(path: folder.storePath, now: world.wall).isDamaged)
  }

  @Test(
    "A store that was cut to nothing is told as damaged while its log or a backup is there",
    arguments: ["log", "backup"])
  func emptied(_ witness: String) throws {
    let folder = try TestFolder()
    let store = try open(folder)
    defer { withExtendedLifetime(store) {} }
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    if witness == "backup" { try store.backUpIfDue() }
    let other = try TestFolder()
    try FileManager.default.copyItem(atPath: folder.path + "/permtui", toPath: other.path + "/permtui")
    try Data().write(to: URL(filePath: other.storePath))
    chmod(other.storePath, 0o600)
    if witness == "backup" { unlink(other.storePath + "-wal") }
    let log = try? Data(contentsOf: URL(filePath: other.storePath + "-wal"))
    #expect(damaged(#expect(throws: StoreError.self) { try open(other) }))
    #expect(StoreCheckup(path: other.storePath, now: world.wall).isDamaged)
    #expect((try? Data(contentsOf: URL(filePath: other.storePath + "-wal"))) == log)
  }

  @Test("A journal whose last id is the last there is takes no entry, and says so")
  func lastID() throws {
    let folder = try TestFolder()
    _ = try open(folder)
    try spoil(
      folder, "INSERT INTO journal (id, at, kind, atoms, count) VALUES (\(Int64.max), 0, 'resumed', '', 1)")
    let store = try open(folder)
    let error = #expect(throws: StoreError.self) {
      try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    }
    #expect(damaged(error))
    #expect(try store.decisions().isEmpty)
  }

  @Test(
    "Once its log was deleted or replaced, an open store tells nothing as saved", arguments: [true, false])
  func lostLog(isReplaced: Bool) throws {
    let folder = try TestFolder()
    let store = try open(folder)
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let log = folder.storePath + "-wal"
    unlink(log)
    if isReplaced { _ = FileManager.default.createFile(atPath: log, contents: nil) }
    #expect(throws: StoreError.removed(path: log)) {
      try store.decide(Ruling(.allow, subject: thumbs, atoms: [photos]), by: here)
    }
    let used = AutomaticAnswer(
      .allow, subject: backup, capability: "photos", atoms: [photos], reason: "decided before")
    #expect(throws: StoreError.removed(path: log)) { try store.record(used) }
  }

  @Test("A store that closes takes its log over into the file, but not once it has met damage")
  func closing() throws {
    let folder = try TestFolder()
    let log = URL(filePath: folder.storePath + "-wal")
    do {
      let store = try open(folder)
      try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
      #expect(try !Data(contentsOf: log).isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: log.path))
    do {
      let store = try open(folder)
      try store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
      try PlainWriter(path: folder.storePath).execute("UPDATE decisions SET verdict = 'perhaps'")
      #expect(damaged(#expect(throws: StoreError.self) { try store.decisions() }))
    }
    #expect(try !Data(contentsOf: log).isEmpty)
  }

  @Test("Looking at a store leaves its log as it is")
  func logStays() throws {
    let folder = try TestFolder()
    let other = try TestFolder()
    let store = try open(folder)
    defer { withExtendedLifetime(store) {} }
    let kept = try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try FileManager.default.copyItem(atPath: folder.path + "/permtui", toPath: other.path + "/permtui")
    unlink(other.storePath + "-shm")
    let files = ["", "-wal"].map { URL(filePath: other.storePath + $0) }
    let before = try files.map { try Data(contentsOf: $0) }
    #expect(try open(other).decisions() == kept)
    #expect(try files.map { try Data(contentsOf: $0) } == before)
  }

  @Test("A damaged store is moved aside under a dated name, and a backup takes its place")
  func restore() throws {
    let folder = try TestFolder()
    let kept = try open(folder).decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try open(folder).backUpIfDue()
    try damage(folder, at: 0, count: 4_096)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.storePath))
    let recovery = StoreRecovery(path: folder.storePath, environment: world.environment)
    let newest = try #require(recovery.backups.first)
    let aside = try #require(try recovery.restore(newest, by: here))
    #expect(aside.hasSuffix("permissions-damaged-\(FileStamp.text(world.wall)).sqlite"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
    let store = try open(folder)
    #expect(try store.decisions() == kept)
    let entry = try #require(try store.journal(.all, .newest(1)).first)
    #expect(entry.kind == .restored)
    #expect(entry.origin == here)
    #expect(entry.text == "the backup \(newest.path); what stood there is \(aside)")
    #expect(try PlainWriter(path: folder.storePath).text("PRAGMA journal_mode") == "wal")
    #expect(Folder.names(in: folder.path + "/permtui").allSatisfy { !$0.contains("restoring") })
    try store.decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: here)
    #expect(try store.decisions().count == 2)
  }

  @Test("Two stores moved aside in one second are both kept")
  func twice() throws {
    let folder = try TestFolder()
    let recovery = StoreRecovery(path: folder.storePath, environment: world.environment)
    _ = try open(folder)
    let first = try recovery.moveAside()
    _ = try open(folder)
    let second = try recovery.moveAside()
    #expect(first != second)
    #expect(FileManager.default.fileExists(atPath: first))
    #expect(FileManager.default.fileExists(atPath: second))
  }

  @Test("A store that somebody has open is not moved")
  func inUse() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    let recovery = StoreRecovery(path: folder.storePath, environment: world.environment)
    #expect(throws: StoreError.inUse(path: folder.storePath)) { try recovery.moveAside() }
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    #expect(try store.decisions().count == 1)
  }

  @Test("A backup is due once a day, and five are kept")
  func rotation() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    for day in 0..<8 {
      try store.decide(Ruling(.allow, subject: Subject(label: "\(day)"), atoms: [photos]), by: here)
      #expect(try store.backUpIfDue() != nil)
      #expect(try store.backUpIfDue() == nil)
      world.pass(.seconds(86_400))
    }
    let recovery = StoreRecovery(path: folder.storePath, environment: world.environment)
    #expect(recovery.backups.count == 5)
    let newest = try SQLiteStore(path: recovery.backups[0].path, environment: world.environment)
    #expect(try newest.decisions().count == 8)
  }

  private func backups(_ folder: TestFolder) -> [StoreBackup] {
    StoreRecovery(path: folder.storePath, environment: world.environment).backups
  }

  private func turnClock(by duration: Duration) { world.change { $0.wall = $0.wall + duration } }

  private func decisions(in backup: StoreBackup) throws -> Int {
    try SQLiteStore(path: backup.path, environment: world.environment).decisions().count
  }

  @Test(
    "After the clock was set back, the backup with the most is the newest, and none made since is deleted")
  func clockSetBack() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    for number in 0..<7 {
      try store.decide(Ruling(.allow, subject: Subject(label: "\(number)"), atoms: [photos]), by: here)
      #expect(try store.backUpIfDue() != nil)
      #expect(try store.backUpIfDue() == nil)
      turnClock(by: .seconds(-3 * 86_400))
    }
    #expect(try backups(folder).map { try decisions(in: $0) } == [7, 6, 5, 4, 3])
  }

  @Test(
    "A backup of a store that was restored is newer than those of the store before", arguments: [true, false])
  func backupsAfterRestoring(isReadable: Bool) throws {
    let folder = try TestFolder()
    for number in 0..<4 {
      try open(folder).decide(Ruling(.allow, subject: Subject(label: "\(number)"), atoms: [photos]), by: here)
      try open(folder).backUpIfDue()
      world.pass(.seconds(86_400))
    }
    let first = try #require(backups(folder).last)
    if !isReadable { try damage(folder, at: 0, count: 4_096) }
    try StoreRecovery(path: folder.storePath, environment: world.environment).restore(first, by: here)
    turnClock(by: .seconds(-30 * 86_400))
    try open(folder).decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: here)
    let made = try #require(try open(folder).backUpIfDue())
    #expect(backups(folder).first == made)
    #expect(try decisions(in: made) == 2)
  }

  @Test("A store that is begun where backups are says so, and its own backups are newer")
  func begunBesideBackups() throws {
    let folder = try TestFolder()
    for _ in 0..<5 {
      try open(folder).decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
      try open(folder).backUpIfDue()
      world.pass(.seconds(86_400))
    }
    try StoreRecovery(path: folder.storePath, environment: world.environment).moveAside()
    let store = try open(folder)
    let entry = try #require(try store.journal(.all, .newest(1)).first)
    #expect(entry.kind == .restored)
    #expect(entry.text?.contains("nothing: there was no store") == true)
    turnClock(by: .seconds(-30 * 86_400))
    let made = try #require(try store.backUpIfDue())
    #expect(backups(folder).first == made)
    #expect(try decisions(in: made) == 0)
  }

  @Test("A backup that cannot be read comes last")
  func damagedBackup() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    for _ in 0..<2 {
      try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
      try store.backUpIfDue()
      world.pass(.seconds(86_400))
    }
    let newest = try #require(backups(folder).first)
    try Data(repeating: 0xA5, count: 8_192).write(to: URL(filePath: newest.path))
    #expect(backups(folder).last?.path == newest.path)
    #expect(backups(folder).count == 2)
  }

  @Test("Expired journal entries go once a day, after the backup that has them")
  func keptUp() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    let answer = AutomaticAnswer(
      .deny, subject: thumbs, capability: "photos", atoms: [photos], reason: "too many requests")
    for _ in 0..<3 {
      try store.record(answer)
      world.pass(.seconds(86_400))
    }
    try store.keepUp(journalDays: nil)
    #expect(try store.journal(.all, .newest(9)).count == 3)
    try store.keepUp(journalDays: 1)
    #expect(try store.journal(.all, .newest(9)).count == 3, "once a day")
    world.pass(.seconds(86_400))
    try store.keepUp(journalDays: 3)
    #expect(try store.journal(.all, .newest(9)).map(\.id) == [3, 2])
    let newest = try #require(
      StoreRecovery(path: folder.storePath, environment: world.environment).backups.first)
    let before = try SQLiteStore(path: newest.path, environment: world.environment)
    #expect(try before.journal(.all, .newest(9)).count == 3)
  }

  @Test("A draft of a backup that an ended process left is deleted, but not one that is being made")
  func drafts() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    let backups = folder.path + "/permtui/backups"
    let files = FileManager.default
    try files.createDirectory(atPath: backups, withIntermediateDirectories: false)
    let stamps = [world.wall + .seconds(-7200), world.wall + .seconds(-60)].map { FileStamp.text($0) }
    let drafts =
      stamps.map { "permissions-\($0).sqlite.partial" } + ["permissions-\(stamps[0]).sqlite.partial-wal"]
    for name in drafts { _ = files.createFile(atPath: backups + "/" + name, contents: nil) }
    try store.backUpIfDue()
    #expect(
      Set(Folder.names(in: backups)) == [drafts[1], "permissions-\(FileStamp.text(world.wall)).sqlite"])
  }

  @Test("Two processes that make a backup in the same second both succeed")
  func backupsTogether() async throws {
    let folder = try TestFolder()
    let stores = [try open(folder), try open(folder)]
    for _ in 0..<10 {
      world.pass(.seconds(86_400))
      try await withThrowingTaskGroup { group in
        for store in stores { group.addTask { _ = try store.backUpIfDue() } }
        try await group.waitForAll()
      }
    }
    #expect(StoreRecovery(path: folder.storePath, environment: world.environment).backups.count == 5)
  }

  @Test("A damaged store makes no backup that counts")
  func noBadBackup() throws {
    let folder = try TestFolder()
    let store = try open(folder)
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let path = folder.storePath
    // The number of programs is kept in an index of its own; removing a row from the index alone is damage that only a
    // check of the whole file finds.
    let writer = try PlainWriter(path: path)
    try writer.breakIndex()
    #expect(damaged(#expect(throws: StoreError.self) { try store.backUpIfDue() }))
    #expect(StoreRecovery(path: path, environment: world.environment).backups.isEmpty)
  }
}
