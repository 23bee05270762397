import Machine
import PermModel

extension CommandsPage {
  /// The number of entries to read in one call. It is limited so that other readers never wait long.
  private static let pageSize = 500

  /// Reads the newest entries, page by page.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; errors of the store.
  static func read(_ store: any PermissionStore) async throws -> CommandsPage {
    var entries: [JournalEntry] = []
    var page = try store.journal(filter, .newest(pageSize))
    while let last = page.last, entries.count < mostEntries {
      entries += page
      await Task.yield()
      try Task.checkCancellation()
      page = try store.journal(filter, .older(than: last.id, pageSize))
    }
    return CommandsPage(entries, isFile: isFile)
  }

  /// Whether a word of a command line is a file or folder in the folder in which the line runs.
  static func isFile(_ word: String, in folder: String) -> Bool {
    let path = word.hasPrefix("/") ? word : "\(folder)/\(word)"
    return Paths.resolved(path).map { $0.hasPrefix(folder + "/") } ?? false
  }
}
