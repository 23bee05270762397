import Machine

/// Where a store lies: its file, and what stands beside it.
struct StorePaths: Hashable, Sendable {
  /// The database file.
  var path: String

  init(path: String) { self.path = Paths.absolute(path) }

  /// The folder that holds everything below.
  var folder: String { path.folderOfPath }

  /// SQLite's write-ahead log, and the index of it.
  var log: String { path + "-wal" }
  var logIndex: String { path + "-shm" }

  /// Touched after each commit, because the database itself cannot be watched reliably.
  var marker: String { stem + ".changed" }

  /// Locked by everyone who has the store open, and alone by whoever moves it aside.
  var lock: String { stem + ".lock" }

  /// Where backups are kept.
  var backups: String { folder + "/backups" }

  /// The name without its ending, for example `permissions`.
  var name: String { stem.lastPathPart }

  private var stem: String {
    for ending in [".sqlite", ".db"] where path.hasSuffix(ending) {
      return String(path.dropLast(ending.count))
    }
    return path
  }
}
