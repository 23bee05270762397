import PermModel

extension State {
  /// Returns a moment as shortly as it stays clear.
  func short(_ moment: Timestamp) -> String { surroundings.clock.short(moment, now: now.wall) }

  /// Returns a moment to the second.
  func exact(_ moment: Timestamp) -> String { surroundings.clock.exact(moment, now: now.wall) }

  /// Returns the author of a decision as the end of a sentence: `by you, here`, `by a command, not here`.
  func author(of row: DecisionRow) -> String {
    if row.isMade(by: surroundings.dashboardID) { return "by you, here" }
    return typesetter.visible(row.origin.phrase) + (row.decidedAt > openedAt ? ", not here" : "")
  }
}
