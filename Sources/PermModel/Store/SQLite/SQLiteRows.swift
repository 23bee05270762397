import GRDB

/// The rows of a store in one SQLite transaction.
///
/// Statements are prepared once for each connection and then kept by it.
struct SQLiteRows: StoreRows {
  let db: Database

  func rows<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ make: (Row) throws -> T
  ) throws -> [T] {
    let statement = try db.cachedStatement(sql: sql)
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    var found: [T] = []
    while let row = try cursor.next() { found.append(try make(row)) }
    return found
  }

  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  func lastEntryID() throws -> JournalEntry.ID {
    try rows("SELECT max(id) FROM journal") { $0[0] as Int64? ?? 0 }.first ?? 0
  }

  func suspension() throws -> Suspension? {
    try rows("SELECT since, origin FROM suspension") { row in
      Suspension(since: Timestamp(microseconds: row[0]), origin: try origin(row[1]))
    }.first
  }

  func setSuspension(_ suspension: Suspension?) throws {
    try execute("DELETE FROM suspension")
    guard let suspension else { return }
    try execute(
      "INSERT INTO suspension (since, origin) VALUES (?, ?)",
      [suspension.since.microseconds, suspension.origin.description])
  }

  func tallies() throws -> [CapabilitySummary] {
    try rows("SELECT name, allowed, denied, asked_at FROM capabilities") { row in
      CapabilitySummary(
        capability: row[0], allowed: row[1], denied: row[2],
        lastAsked: (row[3] as Int64?).map { Timestamp(microseconds: $0) })
    }
  }

  func noteAsked(_ capability: String, at moment: Timestamp) throws {
    try execute(
      """
      INSERT INTO capabilities (name, asked_at) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET asked_at = excluded.asked_at
      """, [capability, moment.microseconds])
  }

  func subjects(named name: String) throws -> [Subject] {
    try rows(
      """
      SELECT label, program FROM decisions WHERE label = :name
      UNION SELECT label, program FROM journal WHERE label = :name AND program IS NOT NULL
      UNION SELECT label, program FROM decisions WHERE program >= :from AND program < :to
      ORDER BY 1, 2
      """, ["name": name, "from": name + "\t", "to": name + "\n"]
    ) { Subject(label: $0[0], programText: $0[1]) }
  }

  /// Reads what the store itself wrote; anything else there means that the file is damaged.
  func origin(_ text: String) throws -> Origin { try known(Origin(text), text) }

  func known<T>(_ value: T?, _ text: @autoclosure () -> String) throws -> T {
    guard let value else { throw UnreadableRow(text: text()) }
    return value
  }
}

/// A row that this version did not write and cannot read.
struct UnreadableRow: Error {
  var text: String
}
