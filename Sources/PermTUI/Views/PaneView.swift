import PermModel

/// Draws the details of the selection, below or beside the list.
struct PaneView {
  let state: State
  let frame: Rect

  /// The index of the first line that is drawn.
  private var top: Int { state.list.detailsTop ?? 0 }

  func draw(into grid: inout Grid) {
    let pane = state.screen.view.pane(in: state, width: frame.size.width - ScreenLayout.paneMargins)
    draw(title: pane.title, into: &grid)
    if let table = pane.table { draw(table, into: &grid) } else { put(pane.lines, into: &grid) }
  }

  /// Draws a title like `── Photos: the pictures in ~/Pictures ─────`.
  private func draw(title words: String, into grid: inout Grid) {
    let style = Style(.accent, bold: state.list.detailsTop != nil)
    grid.fill(
      Rect(row: frame.origin.row, column: frame.origin.column, width: frame.size.width, height: 1), with: "─",
      style: style)
    let text = " \(state.desk.typesetter.cut(words, to: frame.size.width - 5)) "
    grid.put(text, at: Position(row: frame.origin.row, column: frame.origin.column + 2), style: style)
  }

  private func put(_ lines: [TextLine], into grid: inout Grid) {
    let room = state.layout.detailsCount
    let rest = lines.dropFirst(min(top, max(0, lines.count - room)))
    var shown = Array(rest.prefix(room))
    if rest.count > room, room > 0 {
      let key = state.list.detailsTop == nil ? "; \(state.desk.key(.details)) scrolls them" : ""
      shown[room - 1] = TextLine("… \(rest.count - room + 1) more lines\(key)", Style(.muted))
    }
    let position = Position(row: frame.origin.row + 1, column: frame.origin.column + 3)
    grid.put(shown, at: position, length: frame.size.width - ScreenLayout.paneMargins)
  }

  private func draw(_ pane: Pane.Table, into grid: inout Grid) {
    let room = state.layout.paneRowCount
    let table = ListTable(
      pane.columns, width: frame.size.width, rows: pane.rows, typesetter: state.desk.typesetter)
    table.drawHeading(at: Position(row: frame.origin.row + 1, column: frame.origin.column), into: &grid)
    let shown = pane.count > min(room, pane.rows.count) ? min(pane.rows.count, room - 1) : pane.count
    for (offset, row) in pane.rows.prefix(shown).enumerated() {
      let position = Position(row: frame.origin.row + 2 + offset, column: frame.origin.column)
      table.draw(row, isSelected: false, at: position, into: &grid)
    }
    if pane.count > shown {
      let position = Position(row: frame.rows.upperBound - 1, column: frame.origin.column + 3)
      grid.put(
        "… \(pane.count - shown) more; \(state.desk.key(.open)) lists them", at: position,
        style: Style(.muted))
    }
  }
}
