import Machine

/// The paths of a store: its file, and the files beside it.
struct StorePaths: Hashable, Sendable {
  /// The database file.
  var path: String

  init(path: String) { self.path = Paths.absolute(path) }

  /// The folder that contains all the files below.
  var folder: String { path.folderOfPath }

  /// SQLite's write-ahead log, and the index of it.
  var log: String { path + "-wal" }
  var logIndex: String { path + "-shm" }

  /// Touched after each commit, because the database itself cannot be watched reliably.
  var marker: String { stem + ".changed" }

  /// Locked by every process that has the store open, and exclusively by one that moves it aside.
  var lock: String { stem + ".lock" }

  /// The folder for backups.
  var backups: String { folder + "/backups" }

  /// The name without its extension, for example `permissions`.
  var name: String { stem.lastPathPart }

  private var stem: String {
    for ending in [".sqlite", ".db"] where path.hasSuffix(ending) {
      return String(path.dropLast(ending.count))
    }
    return path
  }
}
