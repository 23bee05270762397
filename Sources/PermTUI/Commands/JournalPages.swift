import PermModel

/// The journal, oldest entry first, read a page at a time so that memory stays flat however long it is.
struct JournalPages: Sequence, IteratorProtocol {
  private static let size = 500

  private let store: any PermissionStore
  private let filter: JournalFilter
  /// The entry after which the next page begins; `nil` at the end.
  private var position: JournalEntry.ID? = 0
  private let newest: Int?

  /// - Parameter newest: gives only so many of the newest entries; all of them if `nil`.
  init(store: any PermissionStore, filter: JournalFilter, newest: Int? = nil) {
    self.store = store
    self.filter = filter
    self.newest = newest
  }

  mutating func next() -> Result<[JournalEntry], StoreError>? {
    guard let position else { return nil }
    do throws(StoreError) {
      let entries = try read(after: position)
      self.position = newest == nil ? entries.last?.id : nil
      return entries.isEmpty ? nil : .success(entries)
    } catch {
      self.position = nil
      return .failure(error)
    }
  }

  private func read(after position: JournalEntry.ID) throws(StoreError) -> [JournalEntry] {
    if let newest { return try store.journal(filter, .newest(newest)).reversed() }
    return try store.journal(filter, .newer(than: position, Self.size))
  }
}
