import PermModel

/// A row of the desktop's permission store: what an app may do with one thing.
struct PermissionRow: Hashable, Sendable {
  /// The name of the table, for example `devices`.
  var table: String
  /// The thing in the table, for example `camera`.
  var id: String
  /// The app; empty for every program whose name the portal does not know.
  var app: String
}

extension PermissionRow {
  /// The longest name of an app that is taken, in bytes. A name on the bus has at most as many.
  static let longestApp = 255

  /// Checks a table's name. The desktop's service makes a path of it without looking, so that `../../x` would be written
  /// elsewhere.
  static func isTable(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The row for people, without characters that a terminal obeys.
  var words: String { VisibleText.escaped("\(table)/\(id) of \(app.isEmpty ? "apps without a name" : app)") }
}
