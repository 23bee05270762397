import FoundationEssentials
import Machine

/// The rows of the desktop's permission store, which `permtui-portal` reads from the session's bus.
struct DesktopRows {
  /// The permissions of an app for one device or place, in the desktop's own terms.
  struct Row: Codable, Hashable {
    var table: String
    var id: String
    var app: String
    var permissions: [String]
  }

  let rows: [Row]

  private static let helper = DesktopProgram.name

  /// Reads the rows by the program beside this one.
  init() throws(CommandError) {
    let program = (Paths.target(ofLink: "/proc/self/exe") ?? "").folderOfPath + "/" + Self.helper
    guard FileStatus(program)?.kind == .file else {
      throw CommandError(
        "the program \(Self.helper), which reads the desktop's store, is not installed beside this one",
        advice: ["it is in the package \(Self.helper)"])
    }
    let output = AsyncBridge.wait { await DesktopProgram(path: program).list() }
    guard let output, let rows = Self.rows(output) else {
      throw CommandError(
        "the desktop's permission store cannot be read",
        advice: ["\(Self.helper) store list says why"])
    }
    self.rows = rows
  }

  init(rows: [Row]) { self.rows = rows }

  /// Returns the rows of an output with an object on each line; `nil` if a line is not understood.
  static func rows(_ output: String) -> [Row]? {
    let decoder = JSONDecoder()
    return try? output.split(separator: "\n").map { try decoder.decode(Row.self, from: Data($0.utf8)) }
  }

  /// The rows as lines of an export.
  var exported: [String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return rows.compactMap { row in
      (try? encoder.encode(row)).map { Self.exportedStart + String(decoding: $0, as: UTF8.self) + "}" }
    }
  }

  private static let exportedStart = #"{"desktop":"#

  /// Whether a line of an export is a row of the desktop's store.
  static func isExported(_ line: String) -> Bool { line.hasPrefix(exportedStart) }

  var table: Table {
    var table = Table(
      "Program", "Thing", "Permissions", "By", fitting: [.shortenEnd("Program"), .shortenEnd("Permissions")])
    for row in rows {
      table.add(
        .init(row.app.isEmpty ? "apps without a name" : row.app),
        .init(row.table == row.id ? row.id : "\(row.table)/\(row.id)"),
        .init(row.permissions.joined(separator: " ")), .init("desktop", .muted))
    }
    return table
  }

  var json: JSON {
    [
      "desktop": .list(
        rows.map { row in
          [
            "table": .text(row.table), "thing": .text(row.id), "app": .text(row.app),
            "permissions": .list(row.permissions.map { .text($0) }),
          ]
        })
    ]
  }
}
