import Machine
import PermModel

/// The file beside our store with the rows of the desktop's store that our answers have made, so that they end after a
/// crash, too.
///
/// Each line has table, thing, app and value, with tabs between them. Invisible characters are escaped.
struct LeaseFile: Sendable {
  static let name = "portal-leases"
  private static let mostBytes = 1 << 20

  let path: String

  /// - Parameter store: The path of our store.
  init(besides store: String) { path = "\(store.folderOfPath)/\(Self.name)" }

  /// A line of the file. Without a value, the portal had not written the row yet.
  struct Line: Hashable, Sendable {
    var row: PermissionRow
    var value: String?
  }

  /// Returns the lines of the file. What is not one of ours is passed over.
  func read() -> [Line] {
    guard let text = Files.text(of: path, limit: Self.mostBytes, followingLinks: false) else { return [] }
    return text.split(separator: "\n").compactMap { Line($0) }
  }

  func write(_ lines: [Line]) throws(SystemError) {
    try Folder.make(path.folderOfPath)
    try Files.replace(path, text: lines.map { $0.text + "\n" }.joined())
  }
}

extension LeaseFile.Line {
  private static let none = "-"

  var text: String {
    [row.table, row.id, row.app].map { Scope.escaped(Array($0.utf8)) }.joined(separator: "\t") + "\t"
      + (value.map { "=" + Scope.escaped(Array($0.utf8)) } ?? Self.none)
  }

  init?(_ text: some StringProtocol) {
    let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 4, let names = try? fields.prefix(3).map({ try Self.plain($0) }),
      PermissionRow.isTable(names[0])
    else { return nil }
    row = PermissionRow(table: names[0], id: names[1], app: names[2])
    if fields[3].hasPrefix("=") {
      guard let value = try? Self.plain(fields[3].dropFirst()) else { return nil }
      self.value = value
    } else if fields[3] != Self.none {
      return nil
    }
  }

  private static func plain(_ text: some StringProtocol) throws -> String {
    String(decoding: try Scope.unescaped(text), as: UTF8.self)
  }
}
