import GRDB

/// A row of a file in which damage may have left anything. A missing value, or one of another kind, is an error.
///
/// Values are never converted: SQLite would read a word as the number 0, and GRDB ends the process if it finds no
/// value.
struct StoredRow {
  let row: Row

  subscript<Value: DatabaseValueConvertible>(column: Int) -> Value {
    get throws {
      let stored = try row.decode(DatabaseValue.self, atIndex: column)
      guard let value = Value.fromDatabaseValue(stored) else {
        throw UnreadableRow(text: "\(stored) in the column \(Array(row.columnNames)[column])")
      }
      return value
    }
  }
}
