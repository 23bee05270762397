/// Draws rows in columns: a heading, and the visible rows with the selected one marked.
struct ListTable {
  /// The number of cells before the first column, for the selection and the change mark.
  static let indent = 3

  let typesetter: Typesetter
  let columns: [Column?]

  init(_ columns: [Column], width: Int, typesetter: Typesetter) {
    self.typesetter = typesetter
    self.columns = Column.fit(columns, into: width - Self.indent - 1)
  }

  func drawHeading(at position: Position, into grid: inout Grid) {
    draw(columns.map { TextLine.Span($0?.title ?? "", .muted) }, at: position, into: &grid)
  }

  func draw(_ row: ListRow, isSelected: Bool, at position: Position, into grid: inout Grid) {
    if isSelected { grid.put(">", at: Position(row: position.row, column: position.column + 1)) }
    let mark = Position(row: position.row, column: position.column + 2)
    if row.mark != " " { grid.put(row.mark, at: mark, style: Style(.attention, bold: true)) }
    draw(row.cells, at: position, into: &grid)
    guard isSelected else { return }
    // Not the whole row: a screen reader reads out every change, and a slow line has to transmit it.
    let width = Self.indent + (columns.first.flatMap { $0?.width } ?? 0)
    grid.restyle(Rect(row: position.row, column: position.column, width: width, height: 1)) {
      $0.reverse = true
    }
  }

  private func draw(_ cells: [TextLine.Span], at position: Position, into grid: inout Grid) {
    var column = position.column + Self.indent
    var last: (style: Style, end: Int)?
    for (place, cell) in cells.enumerated() where place < columns.count {
      guard let shape = columns[place] else { continue }
      let isLast = !columns[(place + 1)...].contains { $0 != nil }
      let room = isLast ? shape.width : shape.width - 2
      let text = typesetter.cut(cell.text, to: room)
      let shift = shape.isRightAligned ? shape.width - typesetter.width(of: text) : 0
      let start = Position(row: position.row, column: column + shift)
      // Gaps between texts of the same style keep it, so that the terminal need not switch.
      if let last, last.style == cell.style {
        grid.fill(
          Rect(row: position.row, column: last.end, width: start.column - last.end, height: 1),
          style: cell.style)
      }
      let used = grid.put(text, at: start, style: cell.style, limit: room)
      last = (cell.style, start.column + used)
      column += shape.width
    }
  }
}

struct ListRow: Hashable, Sendable {
  /// `!` for a change made elsewhere, `*` for one made here, `+` for a marked row, else a blank.
  var mark = " "
  var cells: [TextLine.Span] = []
}
