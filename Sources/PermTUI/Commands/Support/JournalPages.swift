import PermBroker
import PermModel

/// The journal, oldest entry first, read a page at a time so that memory use stays flat however long it is.
struct JournalPages: Sequence, IteratorProtocol {
  private static let size = 500

  private let control: any PermissionControl
  private let filter: JournalFilter
  /// The entry after which the next page begins; `nil` at the end.
  private var position: JournalEntry.ID? = 0
  private let newest: Int?

  /// - Parameter newest: The number of newest entries to read; `nil` to read them all.
  init(control: any PermissionControl, filter: JournalFilter, newest: Int? = nil) {
    self.control = control
    self.filter = filter
    self.newest = newest
  }

  mutating func next() -> Result<[JournalEntry], any Error>? {
    guard let position else { return nil }
    do {
      let entries = try read(after: position)
      self.position = newest == nil ? entries.last?.id : nil
      return entries.isEmpty ? nil : .success(entries)
    } catch {
      self.position = nil
      return .failure(error)
    }
  }

  private func read(after position: JournalEntry.ID) throws -> [JournalEntry] {
    if let newest { return try control.journal(filter, .newest(newest)).reversed() }
    return try control.journal(filter, .newer(than: position, Self.size))
  }
}
