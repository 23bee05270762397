import PermModel

/// The decisions that changed since the dashboard opened, and those changes that the person has not seen.
struct ChangeMarks: Sendable {
  /// The changes made elsewhere, until they have been on the screen.
  private(set) var unseen: Set<DecisionNews.ID> = []
  /// The changes made here, until the next key.
  private(set) var fresh: Set<DecisionNews.ID> = []
  /// The decisions taken back elsewhere, until this has been on the screen; the newest last.
  private(set) var gone: [DecisionNews] = []

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

  /// Returns the change that took the decision back, while nobody has seen it.
  func news(of id: DecisionNews.ID) -> DecisionNews? { gone.last { $0.id == id } }

  /// Returns the mark of the row to which some changes belong: `!` if one was made elsewhere, `*` if one was made here.
  func sign(_ belongs: (DecisionNews.ID) -> Bool) -> String {
    unseen.contains(where: belongs) ? "!" : fresh.contains(where: belongs) ? "*" : " "
  }

  /// Called when the person presses a key with these changes on the screen.
  mutating func see(_ visible: some Sequence<DecisionNews.ID>) {
    fresh = []
    guard !unseen.isEmpty else { return }
    unseen.subtract(visible)
    gone.removeAll { !unseen.contains($0.id) }
  }
}
