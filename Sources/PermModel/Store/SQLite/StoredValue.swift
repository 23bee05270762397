import GRDB
import GRDBSQLite

/// A type that a column can have. Values are read and bound directly, because GRDB's own values would be copied once
/// more.
protocol StoredValue {
  /// Reads a column of the current row; `nil` if it has another type.
  init?(_ statement: SQLiteStatement, _ column: CInt)

  /// Binds this value to the next parameter of a statement.
  func bind(to parameters: inout StatementParameters)
}

extension String: StoredValue {
  init?(_ statement: SQLiteStatement, _ column: CInt) {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
      let text = sqlite3_column_text(statement, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    self.init(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  func bind(to parameters: inout StatementParameters) { parameters.bind(self) }
}

extension [UInt8]: StoredValue {
  init?(_ statement: SQLiteStatement, _ column: CInt) {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let bytes = sqlite3_column_blob(statement, column)
    self.init(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }

  func bind(to parameters: inout StatementParameters) { parameters.bind(self[...]) }
}

extension Bool: StoredValue {
  init?(_ statement: SQLiteStatement, _ column: CInt) {
    guard let number = Int64(statement, column) else { return nil }
    self = number != 0
  }

  func bind(to parameters: inout StatementParameters) { parameters.bind(Int64(self ? 1 : 0)) }
}

extension Double: StoredValue {
  init?(_ statement: SQLiteStatement, _ column: CInt) {
    guard sqlite3_column_type(statement, column) == SQLITE_FLOAT else { return nil }
    self = sqlite3_column_double(statement, column)
  }

  func bind(to parameters: inout StatementParameters) { parameters.bind(self) }
}

extension StoredValue where Self: FixedWidthInteger {
  init?(_ statement: SQLiteStatement, _ column: CInt) {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    self.init(exactly: sqlite3_column_int64(statement, column))
  }

  func bind(to parameters: inout StatementParameters) { parameters.bind(Int64(self)) }
}

extension Int: StoredValue {}
extension Int32: StoredValue {}
extension Int64: StoredValue {}
extension UInt32: StoredValue {}

extension Optional: StoredValue where Wrapped: StoredValue {
  init?(_ statement: SQLiteStatement, _ column: CInt) {
    if sqlite3_column_type(statement, column) == SQLITE_NULL {
      self = .none
    } else if let value = Wrapped(statement, column) {
      self = value
    } else {
      return nil
    }
  }

  func bind(to parameters: inout StatementParameters) {
    if let self { self.bind(to: &parameters) } else { parameters.bindNothing() }
  }
}
