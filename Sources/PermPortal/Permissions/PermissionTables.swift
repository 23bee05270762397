import Machine

/// The tables of the desktop's permission store. Its service does not list them; they are files in a folder of the person's.
struct PermissionTables: Sendable {
  let folder: String

  init(_ environment: [String: String]) {
    let data = Paths.folder(environment["XDG_DATA_HOME"]) ?? environment["HOME"].map { $0 + "/.local/share" }
    folder = "\(data ?? "")/flatpak/db"
  }

  /// The names of the tables. A file with a name that no table has is passed over.
  var names: [String] { Folder.names(in: folder).filter(PermissionRow.isTable).sorted() }
}
