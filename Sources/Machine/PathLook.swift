/// The state of a path, for a comparison with a later one: that of the file or folder, and those of a folder's entries.
struct PathLook: Hashable, Sendable {
  private let status: FileStatus?
  private var entries: [String: FileStatus] = [:]

  /// The number of entries that are examined. In larger folders, only arrivals and departures are noticed.
  private static let most = 1_000

  var exists: Bool { status != nil }

  init(_ path: String) {
    status = FileStatus(path)
    guard status?.kind == .folder else { return }
    var found: [String: FileStatus] = [:]
    _ = try? Folder.visit(path) { name, _ in
      found[name] = FileStatus("\(path)/\(name)", followingLinks: false)
      return found.count <= Self.most
    }
    if found.count <= Self.most { entries = found }
  }
}
