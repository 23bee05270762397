import PermModel

extension State {
  /// The change ids of the decisions on the screen, including decisions that were taken back elsewhere.
  var visibleNews: [DecisionNews.ID] {
    guard desk.form == nil, !isTooSmall, !desk.marks.unseen.isEmpty else { return [] }
    let gone = desk.marks.gone.map(\.id)
    let decided = visibleDecisions.map(\.news)
    switch (screen, list.selection) {
    case (.capabilities, .capability(let id)):
      return decided + gone.filter { $0.capability == id }.prefix(layout.paneRowCount)
    case (.capability(let id), _): return decided + gone.filter { $0.capability == id }
    case (.program(let program), _): return decided + gone.filter { $0.subject == program }
    default: return []
    }
  }

  /// The times at which the decisions on the screen end. The screen counts down the last minute before each of them.
  var visibleEnds: [Timestamp] {
    visibleDecisions.compactMap { desk.data.decision($0)?.end }.filter { $0 > desk.now.wall }
  }

  var visibleDecisions: [DecisionRow.ID] {
    guard desk.form == nil, !isTooSmall else { return [] }
    switch (screen, list.selection) {
    case (.capabilities, .capability(let id)):
      return desk.data.decisions(about: id).prefix(layout.paneRowCount).map(\.id)
    case (.capability, _), (.program, _):
      return list.rows[list.visible(layout.rowCount)].compactMap { row in
        if case .decision(let id) = row { id } else { nil }
      }
    default: return []
    }
  }
}
