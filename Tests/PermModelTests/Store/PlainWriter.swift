import GRDB

/// A connection to a store's file that follows none of the store's rules.
struct PlainWriter {
  private let queue: DatabaseQueue

  init(path: String) throws {
    queue = try DatabaseQueue(path: path)
  }

  func use(_ body: (Database) throws -> Void) throws { try queue.inDatabase(body) }

  func execute(_ sql: String) throws { try queue.writeWithoutTransaction { try $0.execute(sql: sql) } }

  func number(_ sql: String) throws -> Int? { try queue.inDatabase { try Int.fetchOne($0, sql: sql) } }

  func text(_ sql: String) throws -> String? { try queue.inDatabase { try String.fetchOne($0, sql: sql) } }

  /// Makes an index and its table disagree: rows are removed from an index as if it were a table.
  func breakIndex() throws {
    try execute("PRAGMA writable_schema = ON")
    try execute(
      """
      UPDATE sqlite_master SET sql = 'CREATE INDEX journal_by_label ON journal (label, kind, program, verdict) WHERE at < 0'
      WHERE name = 'journal_by_label'
      """)
    try execute("PRAGMA writable_schema = OFF")
  }
}
