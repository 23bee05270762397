import PermModel

/// Which decisions changed since the dashboard opened, and which of these changes the person has not seen.
struct ChangeMarks: Sendable {
  /// What someone else changed, until it was on the screen.
  private(set) var unseen: Set<DecisionNews.ID> = []
  /// What was changed here, until the next key.
  private(set) var fresh: Set<DecisionNews.ID> = []
  /// What someone else took back, until it was on the screen; the newest last.
  private(set) var gone: [DecisionNews] = []

  /// Marks what has changed.
  mutating func note(_ news: [DecisionNews], dashboardID: String) {
    for change in news {
      gone.removeAll { $0.id == change.id }
      if change.origin == .dashboard(id: dashboardID) {
        fresh.insert(change.id)
        unseen.remove(change.id)
      } else {
        unseen.insert(change.id)
        if change.isGone { gone.append(change) }
      }
    }
  }

  /// The change that took something back, while nobody has seen it.
  func news(of id: DecisionNews.ID) -> DecisionNews? { gone.last { $0.id == id } }

  /// The person pressed a key with these on the screen.
  mutating func see(_ visible: some Sequence<DecisionNews.ID>) {
    fresh = []
    guard !unseen.isEmpty else { return }
    unseen.subtract(visible)
    gone.removeAll { !unseen.contains($0.id) }
  }
}

extension DecisionRow {
  /// Whether the dashboard with this id made the decision.
  func isMade(by dashboardID: String) -> Bool { origin == .dashboard(id: dashboardID) }
}
