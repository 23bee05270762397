import GRDB
import GRDBSQLite

extension StoreRows {
  func rows<T>(
    _ sql: String, _ arguments: [(any StoredValue)?] = [], _ make: (StoredRow) throws -> T
  ) throws -> [T] {
    let bind = { (parameters: inout StatementParameters) in
      for argument in arguments { parameters.bind(argument) }
    }
    return try db.cachedStatement(sql: sql).rows(binding: bind, make)
  }

  func execute(_ sql: String, _ arguments: [(any StoredValue)?] = []) throws {
    _ = try rows(sql, arguments) { _ in }
  }
}

extension Statement {
  /// Runs a statement. Its parameters are bound without being copied into GRDB's arguments first, which would take as
  /// long as a look-up, and GRDB's rows would build a table of column names for each run.
  func rows<T>(
    binding bind: (inout StatementParameters) -> Void, _ make: (StoredRow) throws -> T
  ) throws -> [T] {
    sqlite3_reset(sqliteStatement)
    var parameters = StatementParameters(statement: sqliteStatement)
    bind(&parameters)
    try parameters.check(sql)
    // A statement that is not reset keeps its transaction open.
    defer { sqlite3_reset(sqliteStatement) }
    var found: [T] = []
    while true {
      switch sqlite3_step(sqliteStatement) {
      case SQLITE_ROW: found.append(try make(StoredRow(statement: self)))
      case SQLITE_DONE: return found
      case let code: throw DatabaseError(code, of: sqliteStatement, sql)
      }
    }
  }
}

/// The parameters of a statement, which are bound one after the other.
struct StatementParameters {
  fileprivate let statement: SQLiteStatement
  private var count: CInt = 0
  private var failure: CInt?

  fileprivate init(statement: SQLiteStatement) { self.statement = statement }

  /// Makes SQLite copy a value, because the statement runs after the call that binds it.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  mutating func bind(_ text: String) {
    note(sqlite3_bind_text(statement, next(), text, CInt(text.utf8.count), Self.copied))
  }

  mutating func bind(_ bytes: ArraySlice<UInt8>) {
    let number = next()
    note(
      bytes.withUnsafeBytes { buffer in
        // SQLite treats bytes at a null address as a missing value.
        buffer.isEmpty
          ? sqlite3_bind_zeroblob(statement, number, 0)
          : sqlite3_bind_blob(statement, number, buffer.baseAddress, CInt(buffer.count), Self.copied)
      })
  }

  mutating func bind(_ number: Double) { note(sqlite3_bind_double(statement, next(), number)) }

  mutating func bind(_ number: Int64) { note(sqlite3_bind_int64(statement, next(), number)) }

  mutating func bind(_ value: (any StoredValue)?) {
    if let value { value.bind(to: &self) } else { bindNothing() }
  }

  mutating func bindNothing() { note(sqlite3_bind_null(statement, next())) }

  private mutating func next() -> CInt {
    count += 1
    return count
  }

  private mutating func note(_ code: CInt) {
    if code != SQLITE_OK, failure == nil { failure = code }
  }

  /// - Parameter sql: The text of the statement, which is expensive to read, because GRDB copies it from SQLite.
  /// - Throws: An error if a value could not be bound. Only a lack of memory can cause this.
  fileprivate func check(_ sql: @autoclosure () -> String) throws {
    assert(count == sqlite3_bind_parameter_count(statement), "every parameter is bound: \(sql())")
    if let failure { throw DatabaseError(failure, of: statement, sql()) }
  }
}

extension DatabaseError {
  fileprivate init(_ code: CInt, of statement: SQLiteStatement, _ sql: String) {
    self.init(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))), sql: sql)
  }
}
