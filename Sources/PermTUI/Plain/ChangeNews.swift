import PermModel

/// What others changed, told once: the entries of the journal since the last look that were not made here.
struct ChangeNews {
  private var lastTold: JournalEntry.ID = 0

  /// Everything up to now is no news.
  mutating func begin(with data: DashboardData) { lastTold = data.journal.first?.id ?? 0 }

  /// Lines for what is new, the oldest first.
  mutating func take(_ data: DashboardData, here dashboardID: String, _ listing: PlainListing) -> [String] {
    let new = data.journal.prefix { $0.id > lastTold }
    begin(with: data)
    return new.reversed().filter { row in
      row.changedBy.map { $0 != .dashboard(id: dashboardID) }
        ?? (row.kind == JournalEntry.Kind.expired.rawValue)
    }
    .map { ($0.changedBy == nil ? "" : "Not here, ") + listing.line($0) }
  }
}
