import PermModel

/// What one look at the store gave, as far as the screen shows it.
struct StoreReading: Sendable {
  /// How many lines of the journal are shown.
  private static let journalLength = 500

  /// The newest journal entry that this includes.
  let position: JournalEntry.ID
  let panicSince: Timestamp?
  let lastAsked: [String: Timestamp]
  let decisions: [DecisionRow]
  let journal: [JournalRow]
  let undoable: String?
  let waiting: [Request]

  init(_ store: any PermissionStore, catalogue: CapabilityCatalogue) throws(StoreError) {
    let overview = try store.overview(names: 0)
    position = overview.position
    panicSince = overview.suspension?.since
    lastAsked = Dictionary(
      overview.capabilities.compactMap { row in row.lastAsked.map { (row.capability, $0) } },
      uniquingKeysWith: { first, _ in first })
    decisions = DecisionRow.rows(of: try store.decisions())
    journal = try store.journal(.all, .newest(Self.journalLength)).map {
      JournalRow($0, catalogue: catalogue)
    }
    undoable = try store.undoPreview()?.change.words
    waiting = try store.waitingRequests().map(\.request)
  }
}
