import PermModel

/// The changes of the desktop's rows that were made in this dashboard since the last change of another kind. The store of
/// decisions, which undoes those, does not have them.
struct DesktopHistory: Sendable {
  struct Step: Hashable, Sendable {
    var change: DesktopChange
    var at: Timestamp
  }

  private var steps: [HistoryStep: [Step]] = [:]

  /// Returns the change that a step takes back or makes again; `nil` if there is none.
  func next(_ step: HistoryStep) -> Step? { steps[step]?.last }

  /// Notes a change that was made.
  ///
  /// - Parameter step: The step that made it; `nil` if the person did.
  mutating func note(_ change: DesktopChange, _ step: HistoryStep?, at moment: Timestamp) {
    guard let step else {
      steps = [.undo: (steps[.undo] ?? []) + [Step(change: change, at: moment)]]
      return
    }
    if steps[step]?.last?.change.reversed == change { steps[step]?.removeLast() }
    steps[step == .undo ? .redo : .undo, default: []].append(Step(change: change, at: moment))
  }
}
