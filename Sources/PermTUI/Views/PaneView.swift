import PermModel

/// Draws the details of the selection, below or beside the list.
struct PaneView {
  let state: State
  let frame: Rect

  func draw(into grid: inout Grid) {
    drawTitle(into: &grid)
    if state.screen == .capabilities, case .capability(let id) = state.list.selection {
      drawDecisions(about: id, into: &grid)
    } else {
      put(PaneText(state: state, width: frame.size.width - 4).lines, into: &grid)
    }
  }

  /// Draws a title like `── Photos: the pictures in ~/Pictures ─────`.
  private func drawTitle(into grid: inout Grid) {
    let words = PaneText(state: state, width: frame.size.width).title
    let style = Style(.accent)
    grid.fill(
      Rect(row: frame.origin.row, column: frame.origin.column, width: frame.size.width, height: 1), with: "─",
      style: style)
    let text = " \(state.desk.typesetter.cut(words, to: frame.size.width - 5)) "
    grid.put(text, at: Position(row: frame.origin.row, column: frame.origin.column + 2), style: style)
  }

  private func put(_ lines: [TextLine], into grid: inout Grid) {
    let room = frame.size.height - 1
    var shown = Array(lines.prefix(room))
    if lines.count > room, room > 0 {
      shown[room - 1] = TextLine("… \(lines.count - room + 1) more lines", Style(.muted))
    }
    let position = Position(row: frame.origin.row + 1, column: frame.origin.column + 3)
    grid.put(shown, at: position, length: frame.size.width - 4)
  }

  private func drawDecisions(about id: String, into grid: inout Grid) {
    let list = DecisionList(desk: state.desk, subject: .program)
    let room = state.layout.paneRowCount
    let gone = state.desk.marks.gone.filter { $0.id.capability == id }.prefix(room)
    let desktop = DesktopList(desk: state.desk)
    let entries = state.desk.desktop.ids(about: id)
    let rows =
      gone.map { list.row($0) } + state.desk.data.decisions(about: id).prefix(room).map { list.row($0) }
      + state.desk.data.waiting(for: id).prefix(room).map { list.row($0) }
      + entries.prefix(room).compactMap { desktop.decisionRow($0, .program) }
    guard !rows.isEmpty else {
      put(PaneText(state: state, width: frame.size.width - 4).lines, into: &grid)
      return
    }
    let table = ListTable(
      list.columns, width: frame.size.width, rows: rows, typesetter: state.desk.typesetter)
    table.drawHeading(at: Position(row: frame.origin.row + 1, column: frame.origin.column), into: &grid)
    let decided = max(state.desk.data.decisions(about: id).count, state.desk.data.count(about: id))
    let count = gone.count + decided + state.desk.data.waiting(for: id).count + entries.count
    let shown = count > min(room, rows.count) ? min(rows.count, room - 1) : count
    for (offset, row) in rows.prefix(shown).enumerated() {
      let position = Position(row: frame.origin.row + 2 + offset, column: frame.origin.column)
      table.draw(row, isSelected: false, at: position, into: &grid)
    }
    if count > shown {
      let position = Position(row: frame.rows.upperBound - 1, column: frame.origin.column + 3)
      grid.put(
        "… \(count - shown) more; \(state.desk.key(.open)) lists them", at: position, style: Style(.muted))
    }
  }
}
