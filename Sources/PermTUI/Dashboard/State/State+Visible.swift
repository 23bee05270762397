import PermModel

extension State {
  /// The rows of the list that are on the screen.
  var visibleRows: ArraySlice<RowID> { list.rows[list.visible(layout.rowCount)] }

  /// The decisions, ends and requests on the screen; none while a form is open.
  private var visibleParts: VisibleParts {
    desk.form == nil && !isTooSmall ? screen.view.visible(in: self) : VisibleParts()
  }

  /// The change ids of the decisions on the screen, including decisions that were taken back elsewhere.
  var visibleNews: [DecisionNews.ID] {
    guard !desk.marks.unseen.isEmpty else { return [] }
    let parts = visibleParts
    return parts.decisions.map(\.news) + parts.gone
  }

  /// The times to which the screen counts down: the ends of decisions, and the times at which requests give up.
  var visibleEnds: [Timestamp] {
    guard !isTooSmall else { return [] }
    let parts = visibleParts
    let ends =
      desk.data.nextExpiry == nil
      ? [] : parts.decisions.compactMap { desk.data.decision($0)?.end } + parts.ends
    let asked = desk.form.flatMap { desk.countsWait ? $0.request?.request : nil }
    return (ends + (parts.waits + [asked].compactMap(\.self)).compactMap(\.givesUpAt)).filter {
      $0 > desk.now.wall
    }
  }
}

extension Desk {
  /// Whether the title of the open form counts down to the time at which its request gives up. It does not while the
  /// alert sleeps, because nobody is there to see it.
  var countsWait: Bool { form?.page == .facts && form?.isWithdrawn == false && !prompt.isAsleep }
}
