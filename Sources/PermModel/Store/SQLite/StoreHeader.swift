import GRDB
import GRDBSQLite

/// The header of a store's file, as its format defines it: https://www.sqlite.org/fileformat.html.
///
/// SQLite refuses some damage of the header, and takes the rest at its word: it then writes pages that do not fit together.
/// All stores have the same values in most fields, so that another value can only be damage.
struct StoreHeader {
  private static let length = 100

  private let bytes: [UInt8]

  /// Reads the header by means of a connection. Opening the file a second time would release the locks that SQLite holds on it
  /// in this process, once it is closed again.
  ///
  /// - Returns: `nil` if there is no whole header, as in a new file.
  init?(of db: Database) {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &pointer) {
      sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file = pointer, let read = file.pointee.pMethods?.pointee.xRead else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Self.length)
    guard read(file, &bytes, Int32(Self.length), 0) == SQLITE_OK else { return nil }
    self.bytes = bytes
  }

  /// Whether the file is used with a write-ahead log.
  var keepsLog: Bool { bytes[19] == 2 }

  /// The first field that no version of the program wrote, in words; `nil` if there is none.
  var objection: String? {
    let expected: [(what: String, value: Int, isRight: Bool)] = [
      ("write version", Int(bytes[18]), bytes[18] <= 2),
      ("number of reserved bytes", Int(bytes[20]), bytes[20] == 0),
      ("first free page", number(at: 32), (number(at: 32) == 0) == (number(at: 36) == 0)),
      ("first free page", number(at: 32), number(at: 32) <= number(at: 28)),
      ("number of free pages", number(at: 36), number(at: 36) <= number(at: 28)),
      ("largest root page", number(at: 52), number(at: 52) == 0),
      // Until the log is written back for the first time, there is none in the file, which means UTF-8.
      ("text encoding", number(at: 56), number(at: 56) <= 1),
      ("vacuum mode", number(at: 64), number(at: 64) == 0),
    ]
    return expected.first { !$0.isRight }.map { "the \($0.what) in its header is \($0.value)" }
  }

  private func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
}
