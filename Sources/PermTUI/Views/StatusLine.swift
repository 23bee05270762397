/// The line above the key bar: the filter or the latest report, and the range of rows on the screen.
struct StatusLine {
  let state: State
  /// The numbers of the rows on the screen, for example `11-20 of 45`; empty if all rows are on the screen.
  private let place: String

  init(state: State) {
    self.state = state
    let list = state.list
    let shown = list.visible(state.layout.rowCount)
    let isWhole = shown.count == list.rows.count
    let (first, last) = (list.count(before: shown.lowerBound) + 1, list.count(before: shown.upperBound))
    place = isWhole ? "" : "\(first)-\(last) of \(list.count())"
  }

  func draw(into grid: inout Grid) {
    let row = state.layout.statusRow
    let position = Position(row: row, column: 0)
    var line = content
    if !place.isEmpty, !announcementNeedsAll { line.trailing = TextLine.Span(place, .muted) }
    grid.put(line, at: position, length: state.size.width - 1)
    if state.isTypingFilter { putCursor(row: row, into: &grid) }
  }

  private var content: TextLine {
    let (warning, report) = (state.desk.warning, state.desk.report)
    if state.isTypingFilter || (state.list.isFiltered && warning == nil && report == nil) { return filter }
    let room = state.size.width - 2 - (place.isEmpty ? 0 : place.count + 2)
    if let warning {
      return TextLine(" \(state.desk.typesetter.cut(warning, to: room))", Style(.attention, bold: true))
    }
    guard let report else { return announcement ?? firstStep }
    let style = report.isError ? Style(.denied, bold: true) : Style.normal
    let next = followUp(of: report)
    let words = report.isError ? "Error: \(report.text)" : report.text
    let text = state.desk.typesetter.cut(words, to: room - next.count)
    return TextLine(" \(text)", style).adding(next, Style(.muted))
  }

  /// The announcement of what comes next; `nil` if there is none, or if something else takes its place.
  private var announcement: TextLine? {
    guard state.desk.warning == nil, state.desk.report == nil, !state.isTypingFilter, !state.list.isFiltered
    else { return nil }
    return state.desk.announcement.map {
      TextLine(" \(state.desk.typesetter.cut($0, to: state.size.width - 2))")
    }
  }

  /// Whether there is an announcement that leaves no space for the numbers of the rows.
  private var announcementNeedsAll: Bool {
    announcement.map { state.desk.typesetter.width(of: $0) + place.count + 2 > state.size.width - 1 }
      ?? false
  }

  /// The first step to take as long as nothing is decided, if the screen is too low for the details that name it;
  /// otherwise empty.
  private var firstStep: TextLine {
    guard state.screen == .first, state.layout.pane == nil, state.desk.data.isLoaded,
      state.desk.hasNothingToShow, !state.desk.context.isDemo
    else { return TextLine() }
    let start = "Nothing is decided yet. To see how it works: "
    let line = TextLine(
      state.size.width < LayoutWidth.usualForm ? " To try it: " : " \(start)", Style(.muted))
    return line.adding("permtui demo", Style(.accent))
  }

  /// The key that takes the reported change back, or makes it again.
  private func followUp(of report: Report) -> String {
    let keys = state.desk.context.keys
    if report.isUndoable, let key = keys.key(for: .undo) { return "  \(key) undoes it" }
    if report.isRedoable, let key = keys.key(for: .redo) { return "  \(key) redoes it" }
    return ""
  }

  private var filter: TextLine {
    let list = state.list
    let reach = state.screen.view.searchReach(in: state)
    let count = list.rows.isEmpty ? "nothing matches" : "\(list.count())"
    let words = [count, reach ?? (list.rows.isEmpty ? "" : "of \(list.all.count)")].filter { !$0.isEmpty }
      .joined(separator: " ")
    let room = state.size.width - max(34, words.count + place.count + 8)
    let text = state.desk.typesetter.cutStart(state.desk.visible(list.filter.text), to: max(8, room))
    return TextLine(" /", Style(.accent, bold: true)).adding(text, Style(underline: state.isTypingFilter))
      .adding("   \(words)", Style(.muted))
  }

  private func putCursor(row: Int, into grid: inout Grid) {
    let before = String(state.list.filter.characters.prefix(state.list.filter.cursor))
    let width = state.desk.typesetter.width(of: state.desk.visible(before))
    let column = min(2 + width, state.size.width - 1)
    grid.cursor = Grid.Cursor(position: Position(row: row, column: column), isVisible: true)
  }
}
