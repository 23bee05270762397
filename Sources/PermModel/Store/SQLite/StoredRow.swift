import GRDB

/// A database row that might contain anything, because the file might be damaged. Reading a value that is
/// missing or of the wrong type throws an error.
///
/// Values are read without conversion: SQLite would convert a word to the number 0, and GRDB would terminate the
/// process if a value were missing.
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
