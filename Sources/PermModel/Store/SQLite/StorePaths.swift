import Machine

/// The paths of a store: its file, and the files beside it.
struct StorePaths: Hashable, Sendable {
  /// The database file.
  var path: String

  init(path: String) { self.path = Paths.absolute(path) }

  /// The folder that contains the database file and all the following files.
  var folder: String { path.folderOfPath }

  /// The path of SQLite's write-ahead log. ``logIndex`` is the path of that log's index.
  var log: String { path + "-wal" }
  var logIndex: String { path + "-shm" }

  /// A marker file that is touched after each commit, because the database file itself cannot be watched
  /// reliably. It is also locked while the store is being opened.
  var marker: String { stem + ".changed" }

  /// The lock file. Every process that has the store open holds a shared lock on it. A process that moves the
  /// store aside holds an exclusive lock.
  var lock: String { stem + ".lock" }

  var backups: String { folder + "/backups" }

  /// The name of the database file without its extension, for example `permissions`.
  var name: String { stem.lastPathPart }

  private var stem: String {
    for ending in [".sqlite", ".db"] where path.hasSuffix(ending) {
      return String(path.dropLast(ending.count))
    }
    return path
  }
}
