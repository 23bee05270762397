import GRDB

/// The tables of a store, and the named migration steps that create them.
struct StoreSchema {
  let path: String
  var steps = StoreSchema.steps

  /// A migration step from one version to the next.
  struct Step: Sendable {
    var name: String
    var sql: String
  }

  static let steps = [
    Step(
      name: "decisions, requests and the journal",
      sql: decisions + tallies + requests + journal + suspension),
    Step(
      name: "an index of the journal by request",
      sql: "CREATE INDEX journal_by_request ON journal (request) WHERE request IS NOT NULL"),
    Step(
      name: "the terminal on which a program asks itself",
      sql: "ALTER TABLE requests ADD COLUMN terminal TEXT"),
    Step(
      name: "an index of decisions in sandboxes",
      sql: "CREATE INDEX decisions_in_sandboxes ON decisions (program) WHERE \(isInSandbox)"),
    Step(name: "values of decisions", sql: scopes),
    Step(
      name: "lines of automatic answers",
      sql: """
        ALTER TABLE journal ADD COLUMN line INTEGER;
        CREATE INDEX journal_by_line ON journal (line, at) WHERE line IS NOT NULL
        """),
    Step(name: "fewer indices, so that a decision writes fewer pages", sql: fewerIndices),
    Step(name: "version 0.3", sql: version3),
  ]

  /// The SQL condition for decisions about programs in a sandbox. The stored string of such a program does
  /// not end with an empty field.
  static let isInSandbox = "program <> '' AND substr(program, -1) <> char(9)"

  /// The version that this code writes, which is the number of steps. It is stored in the file as `user_version`.
  var version: Int { steps.count }

  /// The number that distinguishes a store from other databases: the ASCII codes of "Perm". It is stored in
  /// the file as `application_id`.
  private static let applicationID = 0x5065_726D

  /// Migrates a file to the version that this code writes.
  ///
  /// - Parameters:
  ///   - backUp: A closure that is called before a file that already has content is changed.
  ///   - begin: A closure that is called, in the same transaction, once an empty file has its tables.
  /// - Throws: ``StoreError/newerVersion(path:found:known:)`` for a file from a newer version of the program,
  ///   and ``StoreError/wrongKind(path:expected:)`` for a database that is not a store.
  func migrate(_ db: Database, backUp: () throws -> Void, begin: () throws -> Void = {}) throws {
    guard try found(db) < version else { return }
    if try found(db) > 0 { try backUp() }
    try StoreSchema.keepLog(db)
    try db.inTransaction(.immediate) {
      // The version is read again, because another process might have migrated the file in the meantime.
      let found = try found(db)
      for step in steps.dropFirst(found) { try run(step, db) }
      try db.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(version)")
      if found == 0 { try begin() }
      return .commit
    }
  }

  /// Permanently switches a file to a write-ahead log, and makes this connection flush the log at each commit.
  static func keepLog(_ db: Database) throws {
    try db.execute(sql: "PRAGMA journal_mode = WAL")
    try db.execute(sql: "PRAGMA synchronous = FULL")
  }

  /// Whether a file has an older version than this code writes.
  func isOlder(_ db: Database) throws -> Bool { try found(db) < version }

  /// Checks that a read-only file is undamaged as far as can be told at once, and needs no migration.
  func check(_ db: Database) throws {
    let found = try found(db)
    _ = try checkHeader(db)
    guard found < version else { return }
    throw StoreError.readOnly(
      path: path, reason: "it has format \(found) and would have to be brought to format \(version) first")
  }

  /// Checks the parts of the file's header that SQLite does not check. Returns whether the file has lost its write-ahead log.
  func checkHeader(_ db: Database) throws -> Bool {
    guard let header = StoreHeader(of: db) else { return false }
    if let objection = header.objection { throw StoreError.damaged(path: path, detail: objection) }
    return !header.keepsLog
  }

  /// Returns the version of a file; 0 for an empty file.
  private func found(_ db: Database) throws -> Int {
    // Another process might be creating the file at the same time. The values are read in one transaction, so that they
    // all come from the same state of the file.
    let header =
      try db.isInsideTransaction
      ? header(db) : db.inTransaction(.deferred, returning: { try self.header(db) })
    guard header.isEmpty || header.applicationID == StoreSchema.applicationID else {
      throw StoreError.wrongKind(path: path, expected: "a store of permtui")
    }
    guard header.version <= version else {
      throw StoreError.newerVersion(path: path, found: header.version, known: version)
    }
    guard header.version > 0 || header.isEmpty else {
      throw StoreError.damaged(path: path, detail: "its format is \(header.version)")
    }
    return header.version
  }

  private struct Header {
    var version: Int
    var applicationID: Int
    var isEmpty: Bool
  }

  private func header(_ db: Database) throws -> Header {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    return Header(
      version: version, applicationID: try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
      isEmpty: version == 0 && tables == 0)
  }

  private func run(_ step: Step, _ db: Database) throws {
    do {
      try db.execute(sql: step.sql)
    } catch let error as DatabaseError {
      let message = "step \"\(step.name)\": \(error.message ?? "")"
      // The steps fit every file of an older format, so the format number is wrong.
      if error.resultCode == .SQLITE_ERROR { throw StoreError.damaged(path: path, detail: message) }
      throw DatabaseError(resultCode: error.extendedResultCode, message: message)
    }
  }

  private static let decisions = """
    CREATE TABLE decisions (
      label TEXT NOT NULL, program TEXT NOT NULL, capability TEXT NOT NULL, atom TEXT NOT NULL,
      verdict TEXT NOT NULL, lifetime TEXT NOT NULL, origin TEXT NOT NULL, note TEXT,
      decided_at INTEGER NOT NULL, last_used INTEGER,
      -- Taken from the lifetime, to find what is over without reading what is not.
      ends_at INTEGER, ends_boot TEXT, ends_boot_time INTEGER,
      PRIMARY KEY (label, program, capability, atom)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX decisions_by_capability ON decisions (capability, verdict, label, program, atom);
    CREATE INDEX decisions_ending ON decisions (ends_at) WHERE ends_at IS NOT NULL;
    CREATE INDEX decisions_ending_in_boot ON decisions (ends_boot, ends_boot_time)
      WHERE ends_boot IS NOT NULL;
    CREATE INDEX decisions_bound ON decisions (lifetime) WHERE ends_at IS NULL AND lifetime <> 'forever';

    """

  /// A new table of decisions with scopes, because the key of a table cannot be extended. A container that was part of
  /// an atom's name, as in `read@nas`, becomes a scope.
  private static let scopes = """
    -- Fails if the table has scopes already, so that a damaged version number cannot make decisions lose their scopes.
    ALTER TABLE decisions ADD COLUMN scope BLOB;
    CREATE TABLE scoped (
      label TEXT NOT NULL, program TEXT NOT NULL, capability TEXT NOT NULL, scope BLOB NOT NULL,
      atom TEXT NOT NULL, verdict TEXT NOT NULL, lifetime TEXT NOT NULL, origin TEXT NOT NULL, note TEXT,
      decided_at INTEGER NOT NULL, last_used INTEGER,
      -- Taken from the lifetime, to find what is over without reading what is not.
      ends_at INTEGER, ends_boot TEXT, ends_boot_time INTEGER,
      PRIMARY KEY (label, program, capability, scope, atom)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO scoped SELECT label, program, capability,
      CASE instr(atom, '@') WHEN 0 THEN x''
        ELSE CAST('n' || substr(atom, instr(atom, '@') + 1) || char(0) AS BLOB) END,
      CASE instr(atom, '@') WHEN 0 THEN atom ELSE substr(atom, 1, instr(atom, '@') - 1) END,
      verdict, lifetime, origin, note, decided_at, last_used, ends_at, ends_boot, ends_boot_time FROM decisions;
    DROP TABLE decisions;
    ALTER TABLE scoped RENAME TO decisions;
    ALTER TABLE journal ADD COLUMN details TEXT;
    CREATE INDEX decisions_by_capability ON decisions (capability, verdict, label, program, scope, atom);
    CREATE INDEX decisions_ending ON decisions (ends_at) WHERE ends_at IS NOT NULL;
    CREATE INDEX decisions_ending_in_boot ON decisions (ends_boot, ends_boot_time)
      WHERE ends_boot IS NOT NULL;
    CREATE INDEX decisions_bound ON decisions (lifetime) WHERE ends_at IS NULL AND lifetime <> 'forever';
    CREATE INDEX decisions_in_sandboxes ON decisions (program) WHERE \(isInSandbox);

    """

  /// Removes the journal's indices by time and by capability, and decisions about all values from the index by verdict,
  /// because each index costs every change a page of the log. The index by time was used only if a period had a begin
  /// and an end, and reading a million entries from the newest one backwards takes a tenth of a second. The index by
  /// label now also finds the programs that were answered under a label.
  private static let fewerIndices =
    """
    DROP INDEX IF EXISTS journal_by_time;
    DROP INDEX IF EXISTS journal_by_capability;
    DROP INDEX IF EXISTS journal_by_program;
    -- Fails if the index is there already, so that a damaged version number cannot make a look change the file.
    CREATE INDEX journal_by_label ON journal (label, kind, program, verdict);
    DROP INDEX IF EXISTS decisions_by_verdict;
    -- For the tallies, and for decisions inside a scope. Those about all values are found by the key of the table.
    CREATE INDEX decisions_by_verdict ON decisions (label, program, capability, verdict, scope)
      WHERE scope <> x'';
    DROP TRIGGER IF EXISTS decision_added;
    DROP TRIGGER IF EXISTS decision_removed;
    DROP TRIGGER IF EXISTS verdict_left;
    DROP TRIGGER IF EXISTS verdict_taken;

    """ + triggers(scopedOthers)

  /// The columns of version 0.3. Until its release, later changes are added here, and files in between are not migrated.
  private static let version3 = """
    -- Whether an answer became a decision; the decision that gave automatic answers, and their first values.
    ALTER TABLE journal ADD COLUMN kept INTEGER;
    ALTER TABLE journal ADD COLUMN decision TEXT;
    ALTER TABLE journal ADD COLUMN asked TEXT;
    -- What a program did with an answer, and who answered on which machine.
    ALTER TABLE journal ADD COLUMN used TEXT;
    ALTER TABLE journal ADD COLUMN machine TEXT;
    ALTER TABLE journal ADD COLUMN operator TEXT;
    -- The link by which the program is known, and the operators who made or signed the decision.
    ALTER TABLE decisions ADD COLUMN link TEXT;
    ALTER TABLE decisions ADD COLUMN operator TEXT;
    ALTER TABLE decisions ADD COLUMN signers TEXT;
    -- The board on which the request waits.
    ALTER TABLE requests ADD COLUMN board TEXT;

    """

  /// The table that holds the numbers of programs for each capability. It does not count decisions: a program with two
  /// allowed atoms of a capability is counted once.
  private static let tallies =
    """
    CREATE TABLE capabilities (
      name TEXT NOT NULL PRIMARY KEY, allowed INTEGER NOT NULL DEFAULT 0,
      denied INTEGER NOT NULL DEFAULT 0, asked_at INTEGER
    ) STRICT, WITHOUT ROWID;

    """ + triggers { "SELECT 1 FROM decisions other WHERE \(isAlike($0)) AND other.atom <> \($0).atom" }

  /// Returns the triggers that keep the tallies up to date.
  ///
  /// - Parameter others: Returns a query for other decisions with the program, capability and verdict of the row with
  ///   this name.
  private static func triggers(_ others: (_ row: String) -> String) -> String {
    """
    CREATE TRIGGER decision_added AFTER INSERT ON decisions
    WHEN NOT EXISTS (\(others("NEW")))
    BEGIN \(countNew) END;
    CREATE TRIGGER decision_removed AFTER DELETE ON decisions
    WHEN NOT EXISTS (\(others("OLD")))
    BEGIN \(discountOld) END;
    CREATE TRIGGER verdict_left AFTER UPDATE OF verdict ON decisions
    WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (\(others("OLD")))
    BEGIN \(discountOld) END;
    CREATE TRIGGER verdict_taken AFTER UPDATE OF verdict ON decisions
    WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (\(others("NEW")))
    BEGIN \(countNew) END;

    """
  }

  private static func isAlike(_ row: String) -> String {
    """
    other.label = \(row).label AND other.program = \(row).program AND other.capability = \(row).capability
    AND other.verdict = \(row).verdict
    """
  }

  /// Returns a query for other decisions with the same program, capability and verdict: those about all values, and
  /// those that are in the index by verdict.
  private static func scopedOthers(_ row: String) -> String {
    let isOther = "\(isAlike(row)) AND (other.atom, other.scope) <> (\(row).atom, \(row).scope)"
    return """
      SELECT 1 FROM decisions other WHERE \(isOther) AND other.scope = x'' UNION ALL
      SELECT 1 FROM decisions other INDEXED BY decisions_by_verdict WHERE \(isOther) AND other.scope <> x''
      """
  }

  private static let countNew = """
    INSERT INTO capabilities (name, allowed, denied)
      VALUES (NEW.capability, NEW.verdict = 'allow', NEW.verdict = 'deny')
      ON CONFLICT DO UPDATE SET allowed = allowed + excluded.allowed, denied = denied + excluded.denied;
    """

  private static let discountOld = """
    UPDATE capabilities SET allowed = allowed - (OLD.verdict = 'allow'),
      denied = denied - (OLD.verdict = 'deny') WHERE name = OLD.capability;
    """

  private static let requests = """
    CREATE TABLE requests (
      id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, path TEXT, asked_at INTEGER NOT NULL,
      set_aside_at INTEGER, pid INTEGER NOT NULL, start_time TEXT NOT NULL, body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  private static let journal = """
    CREATE TABLE journal (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, origin TEXT, label TEXT,
      program TEXT, capability TEXT, atoms TEXT NOT NULL, request TEXT, verdict TEXT, text TEXT,
      count INTEGER NOT NULL, last_at INTEGER, change INTEGER, before TEXT, after TEXT
    ) STRICT;
    CREATE INDEX journal_by_change ON journal (change) WHERE change IS NOT NULL;

    """

  private static let suspension = """
    CREATE TABLE suspension (since INTEGER NOT NULL, origin TEXT NOT NULL) STRICT;

    """
}
