import Machine
import PermModel

/// The file beside the store in which `permtui connect` notes which lists it made in which settings, so that it removes
/// those and no others.
///
/// Each line has the path of the settings and the names of the lists, with tabs between them.
struct ConnectionRecord: Sendable {
  static let fileName = "connections"
  private static let mostBytes = 65_536

  private let path: String
  private var made: [String: [String]] = [:]

  /// Reads the file in a store's folder. A missing or damaged file counts as empty.
  init(inFolder folder: String) {
    path = "\(folder)/\(Self.fileName)"
    let text = Files.text(of: path, limit: Self.mostBytes, followingLinks: false) ?? ""
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t").map(String.init)
      if let file = fields.first { made[file] = Array(fields.dropFirst()) }
    }
  }

  /// Returns the lists that were made in a file; `nil` if that is not known.
  func made(in file: String) -> [String]? { made[Self.key(file)] }

  /// Notes that lists were made in a file, or that they are gone.
  mutating func note(_ lists: [String]?, in file: String) throws(SystemError) {
    let key = Self.key(file)
    made[key] = lists.map { (made[key] ?? []) + $0 }
    try Folder.make(path.folderOfPath)
    let lines = made.sorted { $0.key < $1.key }.map { ([$0.key] + $0.value).joined(separator: "\t") + "\n" }
    try Files.replace(path, text: lines.joined())
  }

  private static func key(_ file: String) -> String { Scope.escaped(Array(file.utf8)) }
}
