import GRDB
import Machine

/// A check of a store's files, with both good and bad findings. The check neither changes nor creates anything.
package struct StoreCheckup: Sendable {
  /// The result of one check.
  package struct Finding: Hashable, Sendable, Codable {
    package enum Level: String, Sendable, Codable {
      case ok
      /// Missing, and made by itself in time.
      case notYet = "not yet"
      case warning, problem
    }

    package var level: Level
    /// The finding, described in words.
    package var what: String
    /// The advised remedy; `nil` if nothing needs to be done.
    package var advice: String?

    package init(level: Level, what: String, advice: String? = nil) {
      self.level = level
      self.what = what
      self.advice = advice
    }
  }

  /// All findings, in the order of the checks.
  package private(set) var findings: [Finding] = []

  /// Whether the file's contents are damaged. A damaged file can only be moved aside.
  package private(set) var isDamaged = false

  /// The suspension that a panic started; `nil` if there is none, or if the content cannot be read.
  package private(set) var suspension: Suspension?
  /// The decisions that mute programs, also those that have ended.
  package private(set) var mutes: [Decision] = []
  /// The folders of the agents about which something was decided.
  package private(set) var folders: [ProgramFolder] = []

  private let paths: StorePaths

  /// Checks a store.
  ///
  /// - Parameter now: The current time, from which the age of backups is computed.
  package init(path: String, now: Timestamp) {
    paths = StorePaths(path: path)
    checkFolder()
    if checkFile() {
      checkCompanions()
      checkContent()
    }
    checkBackups(now: now)
  }

  private mutating func ok(_ what: String) { findings.append(Finding(level: .ok, what: what)) }

  private mutating func warn(_ what: String, _ advice: String) {
    findings.append(Finding(level: .warning, what: what, advice: advice))
  }

  private mutating func expect(_ what: String, _ advice: String) {
    findings.append(Finding(level: .notYet, what: what, advice: advice))
  }

  private mutating func fail(_ error: StoreError) {
    findings.append(Finding(level: .problem, what: error.problem, advice: error.advice))
    if case .damaged = error { isDamaged = true }
  }

  private mutating func checkFolder() {
    do {
      guard let status = try StoreFile(paths: paths).checkFolder() else {
        return expect("\(paths.folder) does not exist", "The first start makes it.")
      }
      if status.isOpenToOthers, !status.isSticky {
        warn("others may look into \(paths.folder)", "Close it: chmod 700 \(paths.folder)")
      } else {
        ok("\(paths.folder) is yours")
      }
    } catch {
      fail(error)
    }
  }

  /// Checks the store's file, and returns whether there is a file whose content can be checked.
  private mutating func checkFile() -> Bool {
    do {
      guard let status = try StoreFile(paths: paths).checkKind() else {
        expect("\(paths.path) does not exist", "The first start makes it.")
        return false
      }
      if status.isOpenToOthers {
        warn("others may read \(paths.path)", "The next start closes it, or: chmod 600 \(paths.path)")
      } else {
        ok("\(paths.path) is yours alone, \(status.size / 1024) KiB")
      }
      if !Files.allows(paths.path, .write) {
        warn("\(paths.path) cannot be written", "Its contents can still be read.")
      }
      if Files.isDiskFull(at: paths.folder) {
        warn(
          "no space is left on the disk of \(paths.path)",
          "Its contents can still be read. Make room to change it.")
      }
      return true
    } catch {
      fail(error)
      return false
    }
  }

  private mutating func checkCompanions() {
    for path in [paths.log, paths.logIndex, paths.marker, paths.lock] {
      do {
        guard let status = try StoreFile(paths: paths).status(path) else { continue }
        if status.kind != .file { fail(.wrongKind(path: path, expected: "a file")) }
        if !status.isOwn { fail(.wrongOwner(path: path, owner: status.owner)) }
      } catch {
        fail(error)
      }
    }
  }

  private mutating func checkContent() {
    do {
      let connection = try StoreConnection(paths: paths).readingOnly()
      let version = StoreSchema(path: paths.path).version
      ok("it has format \(version), which this permtui knows")
      let report = try storeErrors(at: paths.path) {
        try connection.inDatabase { try StoreCheckup.content($0) }
      }
      (suspension, mutes, folders) = (report.suspension, report.mutes, report.folders)
      if let damage = report.damage {
        fail(.damaged(path: paths.path, detail: damage))
      } else {
        ok("its file is intact: \(report.decisions) decisions, \(report.entries) journal entries")
      }
      if report.mode != "wal" {
        warn(
          "it does not keep a write-ahead log (mode \(report.mode))", "The next start restores it.")
      }
      if let capability = report.miscounted {
        fail(.damaged(path: paths.path, detail: "the counts of \(capability) are wrong"))
      }
    } catch .readOnly(let path, let reason) {
      checkMigration(.readOnly(path: path, reason: reason))
    } catch {
      fail(error)
    }
  }

  /// Reports a file that has to be migrated first. If that is impossible, its format number is damaged.
  private mutating func checkMigration(_ finding: StoreError) {
    do {
      try StoreConnection(paths: paths).tryMigration()
      fail(finding)
    } catch {
      fail(error)
    }
  }

  private mutating func checkBackups(now: Timestamp) {
    guard let newest = StoreBackups(paths: paths).list().first else {
      return expect("there is no backup", "The dashboard makes one when it starts, once a day.")
    }
    let days = (now - newest.madeAt) / .seconds(86_400)
    if days > 7 {
      warn(
        "the newest backup is \(Int(days)) days old: \(newest.path)",
        "The dashboard makes one when it starts, once a day.")
    } else {
      ok("the newest backup is \(newest.path)")
    }
  }
}

extension StoreCheckup {
  private struct Content {
    var damage: String?
    var decisions: Int
    var entries: Int
    var mode: String
    var miscounted: String?
    var suspension: Suspension?
    var mutes: [Decision] = []
    var folders: [ProgramFolder] = []
  }

  private static func content(_ db: Database) throws -> Content {
    let integrity = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? ""
    guard integrity == "ok" else { return Content(damage: integrity, decisions: 0, entries: 0, mode: "wal") }
    let rows = StoreRows(db: db)
    return Content(
      decisions: try Int.fetchOne(db, sql: "SELECT count(*) FROM decisions") ?? 0,
      entries: try Int.fetchOne(db, sql: "SELECT count(*) FROM journal") ?? 0,
      mode: try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "",
      miscounted: try String.fetchOne(db, sql: miscounted), suspension: try rows.suspension(),
      mutes: try rows.decisions(.mutes, order: .program, after: nil, limit: .max), folders: try folders(db))
  }

  private static func folders(_ db: Database) throws -> [ProgramFolder] {
    let programs = try String.fetchAll(db, sql: "SELECT DISTINCT program FROM decisions")
    return Set(programs.compactMap { Subject(label: "", programText: $0).folder }).sorted {
      $0.path < $1.path
    }
  }

  /// A query for a capability whose stored numbers of programs do not match the stored decisions.
  private static let miscounted = """
    SELECT name FROM capabilities WHERE allowed <> (
      SELECT count(*) FROM (
        SELECT DISTINCT label, program FROM decisions WHERE capability = name AND verdict = 'allow'))
    OR denied <> (
      SELECT count(*) FROM (
        SELECT DISTINCT label, program FROM decisions WHERE capability = name AND verdict = 'deny'))
    UNION SELECT capability FROM decisions WHERE capability NOT IN (SELECT name FROM capabilities)
    LIMIT 1
    """
}
