/// Draws a list in columns: a heading and the rows, with the selected row marked.
struct ListTable {
  /// The number of cells before the first column. They hold the selection sign and the row's mark.
  static let indent = ScreenLayout.rowIndent

  let typesetter: Typesetter
  let columns: [Column?]
  private let shapes: [Shape?]
  private let width: Int

  /// - Parameter rows: The rows on the screen, to whose content the columns adapt.
  init(_ columns: [Column], width: Int, rows: [ListRow] = [], typesetter: Typesetter) {
    self.typesetter = typesetter
    self.width = width
    let fitted = Column.fit(columns, into: width - Self.indent - 1) { place in
      rows.isEmpty || rows.contains { $0.cells.indices.contains(place) && !$0.cells[place].text.isEmpty }
    }
    let adapted = rows.isEmpty ? fitted : Self.adapted(fitted, to: rows, typesetter)
    self.columns = adapted
    let last = adapted.lastIndex { $0 != nil }
    shapes = adapted.indices.map { place in adapted[place].map { Shape($0, isLast: place == last) } }
  }

  /// Returns the columns with more room for those in which a title, or the short one, or a cell would be cut.
  private static func adapted(
    _ columns: [Column?], to rows: [ListRow], _ typesetter: Typesetter
  ) -> [Column?] {
    let last = columns.lastIndex { $0 != nil }
    let widths = columns.map { $0?.width ?? 0 }
    let contents = columns.indices.map { place in
      columns[place].map { Content(of: $0, at: place, isLast: place == last, rows, widths) }
    }
    // Mostly everything fits, and then nothing has to be measured.
    guard contents.contains(where: { $0?.fits(typesetter) == false }) else { return columns }
    return Column.adapt(
      columns, to: contents.map { $0?.width(typesetter) ?? 0 },
      least: contents.map { $0?.titleWidth(typesetter) ?? 0 })
  }

  func drawHeading(at position: Position, into grid: inout Grid) {
    draw(columns.indices.map { TextLine.Span(title(of: $0), .muted) }, at: position, into: &grid)
  }

  private func title(of place: Int) -> String {
    guard let column = columns[place], let shape = shapes[place] else { return "" }
    let fits = typesetter.width(of: column.title) <= shape.room
    return fits ? column.title : column.brief ?? column.title
  }

  func draw(_ row: ListRow, isSelected: Bool, at position: Position, into grid: inout Grid) {
    if isSelected { grid.put(">", at: Position(row: position.row, column: position.column + 1)) }
    let mark = Position(row: position.row, column: position.column + 2)
    if row.mark != " " { grid.put(row.mark, at: mark, style: Style(.attention, bold: true)) }
    if let text = row.text {
      let start = Position(row: position.row, column: position.column + Self.indent)
      let room = width - Self.indent - 1
      grid.put(typesetter.cut(text.text, to: room), at: start, style: text.style, limit: room)
    }
    draw(row.cells, span: row.span, at: position, into: &grid)
    guard isSelected else { return }
    // The whole row has a single style, so that little has to be sent when the selection moves. A row that warns keeps
    // the colour of its warning.
    let role: Style.Role = row.cells.first?.style.role == .denied ? .denied : .normal
    grid.restyle(Rect(row: position.row, column: position.column, width: width, height: 1)) {
      $0 = Style(role, reverse: true)
    }
  }

  private func draw(
    _ cells: [TextLine.Span], span: Int = 1, at position: Position, into grid: inout Grid
  ) {
    var column = position.column + Self.indent
    var last: (style: Style, end: Int)?
    let others = shapes.prefix(span).dropFirst()
    for (place, cell) in cells.enumerated() where place < columns.count {
      guard place == 0 || place >= span, let shape = shapes[place]?.spanning(others, place) else { continue }
      let room = shape.room
      let text = typesetter.cut(cell.text, to: room, losing: shape.cut)
      let shift = shape.isRightAligned ? shape.width - typesetter.width(of: text) : 0
      let start = Position(row: position.row, column: column + shift)
      // The gap between two cells of the same style also gets that style, so that the terminal need not switch styles.
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

extension ListTable {
  /// The parts of a column that concern the text of its cells.
  private struct Shape {
    private(set) var width: Int
    /// The number of cells that the text can take.
    private(set) var room: Int
    let isRightAligned: Bool
    let cut: Column.Cut

    init(_ column: Column, isLast: Bool) {
      width = column.width
      room = isLast ? column.width : column.width - column.gap
      isRightAligned = column.isRightAligned
      cut = column.cut
    }

    /// Returns the shape of the first column with the room of those that follow it; any other column's as it is.
    func spanning(_ others: ArraySlice<Shape?>, _ place: Int) -> Shape {
      guard place == 0, let last = others.last(where: { $0 != nil }) ?? nil else { return self }
      var shape = self
      shape.width += others.reduce(0) { $0 + ($1?.width ?? 0) }
      shape.room = shape.width - (last.width - last.room)
      return shape
    }
  }
}

extension ListTable {
  /// The content of a column.
  private struct Content {
    /// The title, or the short one.
    private let title: String
    /// The texts of the cells, with the number of cells that they take of other columns.
    private let texts: [(text: String, elsewhere: Int)]
    private let room: Int
    private let gap: Int

    /// - Parameter widths: The widths of all columns.
    init(of column: Column, at place: Int, isLast: Bool, _ rows: [ListRow], _ widths: [Int]) {
      title = column.brief ?? column.title
      texts = rows.compactMap { row in
        guard row.cells.indices.contains(place), place == 0 || place >= row.span else { return nil }
        let elsewhere = place == 0 ? widths.prefix(row.span).dropFirst().reduce(0, +) : 0
        return (row.cells[place].text, elsewhere)
      }
      gap = isLast ? 0 : column.gap
      room = column.width - gap
    }

    func fits(_ typesetter: Typesetter) -> Bool {
      typesetter.fits(title, in: room)
        && texts.allSatisfy { typesetter.fits($0.text, in: room + $0.elsewhere) }
    }

    /// Returns the width that the column needs to show all of its texts.
    func width(_ typesetter: Typesetter) -> Int {
      texts.reduce(titleWidth(typesetter)) { width, cell in
        max(width, gap + typesetter.width(of: cell.text) - cell.elsewhere)
      }
    }

    func titleWidth(_ typesetter: Typesetter) -> Int { gap + typesetter.width(of: title) }
  }
}

extension Typesetter {
  fileprivate func cut(_ text: String, to limit: Int, losing part: Column.Cut) -> String {
    switch part {
    case .end: cut(text, to: limit)
    case .middle: cutMiddle(text, to: limit)
    case .counted: cutCounting(text, to: limit)
    }
  }
}
