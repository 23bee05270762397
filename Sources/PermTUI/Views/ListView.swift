/// Draws the list of the open view.
struct ListView {
  let state: State

  private var list: ViewPlace { state.list }

  func draw(into grid: inout Grid) {
    let frame = state.layout.list
    let places = list.visible(state.layout.rowCount)
    let view = state.screen.view.table(in: state)
    let rows = places.map { view.row(list.rows[$0]) ?? ListRow() }
    let table = table(view, rows)
    table.drawHeading(at: frame.origin, into: &grid)
    for (offset, place) in places.enumerated() {
      let position = Position(row: frame.origin.row + 1 + offset, column: frame.origin.column)
      let isSelected = place == list.selected
      table.draw(rows[offset], isSelected: isSelected, at: position, into: &grid)
      if list.isFiltered { grid.underline(list.filter.text, inRow: position.row) }
      if isSelected {
        grid.cursor = Grid.Cursor(position: Position(row: position.row, column: position.column + 1))
      }
    }
    if list.rows.isEmpty { drawEmpty(into: &grid) }
  }

  private func table(_ view: ViewTable, _ rows: [ListRow]) -> ListTable {
    let order = state.order
    return ListTable(
      view.columns.map { $0.order == order ? marked($0) : $0 }, width: state.layout.list.size.width,
      rows: view.adapts ? rows : [], typesetter: state.desk.typesetter)
  }

  /// Returns the order of the column whose title is drawn at a cell of the heading, counted from the list's edge; `nil`
  /// if there is none.
  func order(at cell: Int) -> SortOrder? {
    let view = state.screen.view.table(in: state)
    let rows = list.visible(state.layout.rowCount).map { view.row(list.rows[$0]) ?? ListRow() }
    var end = ListTable.indent
    for column in table(view, rows).columns.compactMap(\.self) {
      end += column.width
      if cell < end { return cell < ListTable.indent ? nil : column.order }
    }
    return nil
  }

  private func drawEmpty(into grid: inout Grid) {
    let frame = state.layout.list
    let text = list.isFiltered ? nothingFound : state.screen.view.emptyWords(in: state)
    let lines = state.desk.typesetter.lines(text, Style(.muted), width: frame.size.width - 6)
    let position = Position(row: frame.origin.row + 1, column: 3)
    grid.put(lines.prefix(state.layout.rowCount), at: position, length: frame.size.width - 3)
  }

  private var nothingFound: String {
    let reach = state.screen.view.searchReach(in: state)
    return reach.map { "No row matches \($0)." } ?? "No row matches the filter."
  }

  /// Returns the column by which the list is sorted, with a sign in its title.
  private func marked(_ column: Column) -> Column {
    var column = column
    let sign = column.order?.isDescending == list.isReversed ? "▲" : "▼"
    column.title += sign
    column.brief = column.brief.map { $0 + sign }
    return column
  }
}
