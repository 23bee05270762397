import GRDB

/// The minimum cost of a durable answer with SQLite: one upsert, one commit, `synchronous = FULL`.
struct BareDatabase {
  private let queue: DatabaseQueue

  init(path: String) throws {
    queue = try DatabaseQueue(path: path)
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
      try db.execute(sql: "CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
    }
  }

  func keep(_ key: String, _ value: String) throws {
    try queue.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        let statement = try db.cachedStatement(
          sql: "INSERT INTO kept VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
        try statement.execute(arguments: [key, value])
        return .commit
      }
    }
  }
}
