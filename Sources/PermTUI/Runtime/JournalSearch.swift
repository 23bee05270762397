import PermModel

/// The search for a text in the whole journal, from the newest entry back.
struct JournalSearch: Sendable {
  /// The number of entries to read in one call. It is limited so that other readers never wait long.
  private static let pageSize = 500
  /// The number of calls after which what was found is shown.
  private static let pagesAtOnce = 20
  /// The number of rows after which the search ends.
  private static let mostFound = 1_000

  let text: String
  /// The number of the newest entry when the search began.
  private(set) var begin: JournalEntry.ID?
  /// The rows that were found, newest first.
  private(set) var found: [JournalRow] = []
  /// The entry that was looked at last; `nil` before the first.
  private(set) var last: JournalEntry?
  /// Whether all entries were looked at.
  private(set) var isWhole = false

  init(_ text: String) { self.text = text }

  /// Whether the search goes on.
  var goesOn: Bool { !isWhole && found.count < Self.mostFound }

  /// Returns the search after some more entries.
  ///
  /// - Parameter row: Returns the row of an entry.
  /// - Throws: `CancellationError` if the task is cancelled; errors of the store.
  func read(
    _ store: any PermissionStore, _ row: (JournalEntry) -> JournalRow
  ) async throws -> JournalSearch {
    var next = self
    let words = SearchWords(text)
    for _ in 0..<Self.pagesAtOnce where next.goesOn {
      let page = try store.journal(
        .all, next.last.map { .older(than: $0.id, Self.pageSize) } ?? .newest(Self.pageSize))
      next.found += page.map(row).filter { words.isIn($0.searchText) }
      next.begin = next.begin ?? page.first?.id ?? 0
      (next.last, next.isWhole) = (page.last ?? next.last, page.count < Self.pageSize)
      await Task.yield()
      try Task.checkCancellation()
    }
    return next
  }
}

extension JournalSearch {
  /// How far the search has come, as the view of the journal shows it.
  var progress: JournalProgress {
    JournalProgress(text: text, reached: last?.at, isWhole: isWhole, goesOn: goesOn)
  }
}
