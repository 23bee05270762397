import PermModel

/// Which decisions changed since the dashboard opened, and which of these changes the person has not seen.
struct ChangeMarks: Sendable {
  /// The moment of the last change of each row that is known.
  private var known: [DecisionRow.ID: Timestamp] = [:]
  /// Rows that someone else changed, until they were on the screen.
  private(set) var unseen: Set<DecisionRow.ID> = []
  /// Rows that were changed here, until the next key.
  private(set) var fresh: Set<DecisionRow.ID> = []

  /// Marks what was decided after the dashboard opened and was not known yet.
  mutating func note(_ rows: [DecisionRow], openedAt: Timestamp, dashboardID: String) {
    for row in rows where row.decidedAt > openedAt && known[row.id] != row.decidedAt {
      known[row.id] = row.decidedAt
      if row.isMade(by: dashboardID) {
        fresh.insert(row.id)
        unseen.remove(row.id)
      } else {
        unseen.insert(row.id)
      }
    }
  }

  /// The person pressed a key with these rows on the screen.
  mutating func see(_ rows: some Sequence<DecisionRow.ID>) {
    fresh = []
    if !unseen.isEmpty { unseen.subtract(rows) }
  }
}

extension DecisionRow {
  /// Whether the dashboard with this id made the decision.
  func isMade(by dashboardID: String) -> Bool { origin == .dashboard(id: dashboardID) }
}
