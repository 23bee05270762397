import PermModel

/// The decision changes that the lists mark: changes made elsewhere that the person has not seen yet, and changes just
/// made in this dashboard.
struct ChangeMarks: Sendable {
  /// The changes made elsewhere that have not yet been on the screen during a key press.
  private(set) var unseen: Set<DecisionNews.ID> = []
  /// The changes made in this dashboard since the last key press.
  private(set) var fresh: Set<DecisionNews.ID> = []
  /// The decisions that were taken back elsewhere or have ended, newest last. Each is listed until the person has seen the change.
  private(set) var gone: [DecisionNews] = []

  /// Whether no change is marked.
  var isEmpty: Bool { unseen.isEmpty && fresh.isEmpty }

  mutating func note(_ news: [DecisionNews], dashboardID: String) {
    for change in news {
      gone.removeAll { $0.id == change.id }
      if change.origin == .dashboard(id: dashboardID), !change.isEnded {
        fresh.insert(change.id)
        unseen.remove(change.id)
      } else {
        unseen.insert(change.id)
        if change.isGone { gone.append(change) }
      }
    }
  }

  /// Returns the change that took the decision back; `nil` once the person has seen the change.
  func news(of id: DecisionNews.ID) -> DecisionNews? { gone.last { $0.id == id } }

  /// Returns the mark of a row: `!` for an unseen change made elsewhere, otherwise `*` for a change just made in this
  /// dashboard, otherwise a blank.
  func sign(_ belongs: (DecisionNews.ID) -> Bool) -> String {
    unseen.contains(where: belongs) ? "!" : fresh.contains(where: belongs) ? "*" : " "
  }

  /// Notes that the person pressed a key while these changes were on the screen, and has therefore seen them.
  mutating func see(_ visible: some Sequence<DecisionNews.ID>) {
    fresh = []
    guard !unseen.isEmpty else { return }
    unseen.subtract(visible)
    gone.removeAll { !unseen.contains($0.id) }
  }
}
