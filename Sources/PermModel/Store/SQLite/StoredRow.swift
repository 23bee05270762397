import GRDB

/// The current row of a running statement. The row might contain anything, because the file might be damaged. Reading a
/// value that is missing or of the wrong type throws an error.
///
/// Values are read without conversion: SQLite would convert a word to the number 0, and GRDB would terminate the
/// process if a value were missing.
struct StoredRow {
  let statement: Statement

  subscript<Value: StoredValue>(column: Int) -> Value {
    get throws {
      let sqlite = statement.sqliteStatement
      guard let value = Value(sqlite, CInt(column)) else {
        let stored = DatabaseValue(sqliteStatement: sqlite, index: CInt(column))
        throw UnreadableRow(text: "\(stored) in the column \(statement.columnNames[column])")
      }
      return value
    }
  }
}
