import GRDB

/// Runs a closure, and converts every error that it throws to a ``StoreError``.
func storeErrors<T>(at path: String, _ body: () throws -> T) throws(StoreError) -> T {
  do {
    return try body()
  } catch let error as StoreError {
    throw error
  } catch let error as DatabaseError {
    throw StoreError(error, path: path)
  } catch let error as UnreadableRow {
    throw .damaged(path: path, detail: "a row has content that no version wrote: \(error.text.prefix(80))")
  } catch is RowDecodingError {
    throw .damaged(path: path, detail: "a row has content that no version wrote")
  } catch {
    throw .database(path: path, code: 0, message: String(describing: error))
  }
}

extension StoreError {
  init(_ error: DatabaseError, path: String) {
    let message = error.message ?? error.resultCode.description
    switch error.resultCode.primaryResultCode {
    // SQLite could not enlarge the index of the log, because the disk is full.
    case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .diskFull(path: path)
    // The header gives a format of the schema that no version of SQLite writes.
    case .SQLITE_ERROR where message == "unsupported file format":
      self = .damaged(path: path, detail: message)
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .damaged(path: path, detail: message)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_READONLY: self = .readOnly(path: path, reason: message)
    default: self = .database(path: path, code: Int(error.extendedResultCode.rawValue), message: message)
    }
  }
}

/// The error for a row that no version of the program could have written.
struct UnreadableRow: Error {
  var text: String
}
