/// A whole screen as a value: exactly `width × height` cells and a cursor. Views draw into the grid, the
/// terminal paints it, and tests compare it.
///
/// Drawing stops at the edges and never splits a wide character, so the grid is always well formed: each wide
/// character is followed by its second cell, and no row is longer than the width.
struct Grid: Sendable {
  /// The hardware cursor. It marks the focus for screen readers even while it is hidden.
  struct Cursor: Hashable, Sendable {
    var position: Position
    /// Whether the cursor is shown, as it is in text fields.
    var isVisible = false
  }

  let size: Size
  /// The cells, row by row.
  private(set) var cells: [Cell]
  var cursor: Cursor?
  let measure: any CellMeasure

  init(size: Size, measure: any CellMeasure) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    self.measure = measure
    cells = Array(repeating: .blank, count: self.size.width * self.size.height)
  }

  func row(_ row: Int) -> ArraySlice<Cell> { cells[row * size.width..<(row + 1) * size.width] }

  /// Draws `text` from `position` to the right. Returns the number of columns used. The text is cut off after `limit`
  /// cells and at the edge of the grid. A character that the terminal cannot show is drawn as its ASCII replacement.
  @discardableResult
  mutating func put(
    _ text: String, at position: Position, style: Style = .normal, limit: Int = .max
  ) -> Int {
    guard (0..<size.height).contains(position.row) else { return 0 }
    let room = min(limit, size.width - position.column)
    var used = 0
    text[...].forEachPiece { piece in
      let place = Position(row: position.row, column: position.column + used)
      switch piece {
      case .ascii(let bytes):
        let count = min(bytes.count, max(0, room - used))
        put(ascii: bytes[..<count], at: place, style)
        used += count
        return count == bytes.count
      case .character(let character):
        let measured = measure.width(of: character)
        guard used + (measured ?? 1) <= room else { return false }
        let drawn = measured == nil ? ASCIIFallback.standIn(for: character) ?? "?" : character
        self.place(Cell(drawn, style: style), width: measured ?? 1, at: place)
        used += measured ?? 1
        return true
      }
    }
    return used
  }

  private mutating func put(
    ascii text: Slice<UnsafeBufferPointer<UInt8>>, at position: Position, _ style: Style
  ) {
    let shown = text.dropFirst(-min(0, position.column))
    guard !shown.isEmpty else { return }
    let start = position.row * size.width + max(0, position.column)
    clearHalves(from: start, through: start + shown.count - 1, inRow: position.row)
    var cells = cells.mutableSpan
    for (offset, byte) in shown.enumerated() {
      cells[start + offset] = Cell(Glyph(ascii: byte), style: style)
    }
  }

  /// Fills the part of `rect` that lies on the grid. A character that does not take one cell is drawn as its ASCII
  /// replacement.
  mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .normal) {
    let part = rect.intersection(Rect(size))
    guard part.size.width > 0 else { return }
    let drawn = measure.width(of: character) == 1 ? character : ASCIIFallback.standIn(for: character) ?? "?"
    let cell = Cell(drawn, style: style)
    for row in part.rows {
      let start = row * size.width + part.origin.column
      clearHalves(from: start, through: start + part.size.width - 1, inRow: row)
      var cells = cells.mutableSpan
      for place in start..<start + part.size.width { cells[place] = cell }
    }
  }

  /// Changes the style of the cells in `rect`, and keeps their characters.
  mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let part = rect.intersection(Rect(size))
    let width = size.width
    var cells = cells.mutableSpan
    for row in part.rows {
      for column in part.columns { change(&cells[row * width + column].style) }
    }
  }

  private mutating func place(_ cell: Cell, width: Int, at position: Position) {
    let last = position.column + width - 1
    guard position.column >= 0, last < size.width else { return }
    let index = position.row * size.width + position.column
    clearHalves(from: index, through: index + width - 1, inRow: position.row)
    cells[index] = cell
    if width == 2 { cells[index + 1] = Cell(Glyph.none, style: cell.style) }
  }

  /// If the new content would overwrite only one half of a wide character, clears the other half.
  private mutating func clearHalves(from first: Int, through last: Int, inRow row: Int) {
    if cells[first].isContinuation { cells[first - 1] = Cell(style: cells[first - 1].style) }
    if last + 1 < (row + 1) * size.width, cells[last + 1].isContinuation {
      cells[last + 1] = Cell(style: cells[last + 1].style)
    }
  }
}

extension Grid: Equatable {
  /// Whether both grids look the same. Their measures are ignored, because a measure affects only later drawing.
  static func == (one: Grid, other: Grid) -> Bool {
    one.size == other.size && one.cursor == other.cursor && one.cells == other.cells
  }
}

extension Grid {
  /// Returns the columns from the first to the last difference between a row and the same row of `previous`; `nil` if
  /// the rows are equal. Blanks that follow the last difference are included, because
  /// ``cells(_:ofRow:extendingStyles:)`` might change them. The range never splits a wide character of either grid.
  ///
  /// - Precondition: Both grids have the same size.
  func changedColumns(inRow row: Int, since previous: Grid) -> Range<Int>? {
    let start = row * size.width
    guard var (first, end) = differences(start..<start + size.width, previous) else { return nil }
    let (cells, old) = (cells.span, previous.cells.span)
    while first > start, cells[first].isContinuation || old[first].isContinuation { first -= 1 }
    while end < start + size.width,
      cells[end].isContinuation || old[end].isContinuation || cells[end].isPlainBlank
    {
      end += 1
    }
    return first - start..<end - start
  }

  /// Returns the place of the first difference and the place after the last one; `nil` if all of these cells are equal.
  ///
  /// Every frame compares all cells, so the bounds are checked once, and not for each cell.
  private func differences(_ places: Range<Int>, _ previous: Grid) -> (first: Int, end: Int)? {
    precondition(cells.indices.contains(places) && previous.cells.indices.contains(places))
    return cells.withUnsafeBufferPointer { cells in
      previous.cells.withUnsafeBufferPointer { old in
        var (first, end) = (places.lowerBound, places.upperBound)
        while first < end, cells[first] == old[first] { first += 1 }
        guard first < end else { return nil }
        while cells[end - 1] == old[end - 1] { end -= 1 }
        return (first, end)
      }
    }
  }

  /// Returns cells of a row as they are sent to the terminal.
  ///
  /// - Parameter extendsStyles: Whether blanks take the style of the text before them. It cannot be seen there, and the
  ///   terminal needs several bytes for each change of the style.
  func cells(_ columns: Range<Int>, ofRow row: Int, extendingStyles extendsStyles: Bool) -> [Cell] {
    let start = row * size.width
    var result = Array(cells[start + columns.lowerBound..<start + columns.upperBound])
    guard extendsStyles else { return result }
    let before = cells[start..<start + columns.lowerBound].last { !$0.isPlainBlank }
    var style = before?.styleOfBlanks ?? .normal
    for place in result.indices {
      if result[place].isPlainBlank {
        result[place].style = style
      } else {
        style = result[place].styleOfBlanks
      }
    }
    return result
  }
}

extension Grid {
  /// Returns the first column of the blanks at the end of a row.
  func endOfText(inRow row: Int) -> Int {
    let cells = cells.span
    var end = (row + 1) * size.width
    while end > row * size.width, cells[end - 1].isPlainBlank { end -= 1 }
    return end - row * size.width
  }
}

extension Cell {
  /// Whether no part of the cell is drawn, whatever its colour.
  fileprivate var isPlainBlank: Bool {
    glyph == .space && !style.reverse && !style.underline
  }

  /// The style of the blanks after this cell.
  fileprivate var styleOfBlanks: Style { style.reverse || style.underline ? .normal : style }
}
