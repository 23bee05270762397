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

  /// The times to which the screen counts down: the ends of decisions, and the times at which requests give up.
  var visibleEnds: [Timestamp] {
    guard !isTooSmall else { return [] }
    let ends =
      desk.data.nextExpiry == nil
      ? [] : visibleDecisions.compactMap { desk.data.decision($0)?.end } + namedEnds
    return (ends + visibleWaits.compactMap(\.givesUpAt)).filter { $0 > desk.now.wall }
  }

  /// The ends that the first view names beside the only program that may use a capability.
  private var namedEnds: [Timestamp] {
    guard screen == .capabilities, desk.form == nil else { return [] }
    return list.rows[list.visible(layout.rowCount)].compactMap { row in
      if case .capability(let id) = row { desk.onlyAllow(of: id)?.end } else { nil }
    }
  }

  /// The requests for which the screen shows when they give up.
  private var visibleWaits: [Request] {
    if let form = desk.form { return desk.countsWait ? [form.request?.request].compactMap(\.self) : [] }
    guard screen == .waiting else { return [] }
    let isList = layout.list.size.width >= ScreenLayout.widthForEnds
    let rows = isList ? Array(list.rows[list.visible(layout.rowCount)]) : [list.selection].compactMap(\.self)
    return rows.compactMap { row in
      if case .waiting(let id) = row { desk.waiting[id]?.request } else { nil }
    }
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

extension Desk {
  /// Whether the title of the open form counts down to the time at which its request gives up. It does not while the
  /// alert sleeps, because nobody is there to see it.
  var countsWait: Bool { form?.page == .facts && form?.isWithdrawn == false && !prompt.isAsleep }
}
