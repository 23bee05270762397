import Glibc

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

  /// The place of the hardware cursor. Screen readers follow it even while it is hidden.
  var restingPlace: Position {
    let place = cursor?.position ?? Position(row: size.height, column: 0)
    return Position(
      row: max(0, min(place.row, size.height - 1)), column: max(0, min(place.column, size.width - 1)))
  }

  subscript(row: Int, column: Int) -> Cell { cells[row * size.width + column] }

  func row(_ row: Int) -> ArraySlice<Cell> { cells[places(ofRow: row)] }

  private func places(ofRow row: Int) -> Range<Int> { row * size.width..<(row + 1) * size.width }

  /// Draws `text` from `position` to the right. Returns the number of columns used. The text is cut off after `limit`
  /// cells and at the edge of the grid. A character that the terminal cannot show is drawn as its ASCII replacement.
  @discardableResult
  mutating func put(
    _ text: String, at position: Position, style: Style = .normal, limit: Int = .max
  ) -> Int {
    guard (0..<size.height).contains(position.row) else { return 0 }
    let room = min(limit, size.width - position.column)
    var used = 0
    text.forEachPiece { piece in
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
    var place = start
    for byte in shown {
      cells[place] = Cell(Glyph(ascii: byte), style: style)
      place += 1
    }
  }

  /// Fills the part of `rect` that lies on the grid. A character that does not take one cell is drawn as its ASCII
  /// replacement.
  mutating func fill(_ rect: Rect, with character: Character, style: Style = .normal) {
    let drawn = measure.width(of: character) == 1 ? character : ASCIIFallback.standIn(for: character) ?? "?"
    fill(rect, Cell(drawn, style: style))
  }

  /// Fills the part of `rect` that lies on the grid with blanks.
  mutating func fill(_ rect: Rect, style: Style = .normal) { fill(rect, Cell(Glyph.space, style: style)) }

  private mutating func fill(_ rect: Rect, _ cell: Cell) {
    let part = rect.intersection(Rect(size))
    guard part.size.width > 0 else { return }
    for row in part.rows {
      let start = row * size.width + part.origin.column
      clearHalves(from: start, through: start + part.size.width - 1, inRow: row)
      var cells = cells.mutableSpan
      for place in start..<start + part.size.width { cells[place] = cell }
    }
  }

  /// Underlines a text wherever a row shows it, in upper or lower case.
  mutating func underline(_ text: String, inRow row: Int) {
    let wanted = Array(text.lowercased().unicodeScalars)
    let shown = self.row(row).map { $0.glyph.onlyScalar?.properties.lowercaseMapping.unicodeScalars.first }
    guard !wanted.isEmpty, wanted.count <= shown.count else { return }
    for start in 0...(shown.count - wanted.count)
    where wanted.indices.allSatisfy({ shown[start + $0] == wanted[$0] }) {
      restyle(Rect(row: row, column: start, width: wanted.count, height: 1)) { style in
        style = Style(style.role, bold: style.bold, dim: style.dim, reverse: style.reverse, underline: true)
      }
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
    one.size == other.size && one.cursor == other.cursor
      && (0..<one.size.height).allSatisfy { one.isSame($0, as: $0, of: other) }
  }
}

// MARK: - Differences

extension Grid {
  /// The number of equal cells between two differences that are sent again, because moving past them takes more bytes.
  private static let shortGap = 4

  /// Returns whether a row is the same as one of another grid.
  ///
  /// - Precondition: Both grids have the same width.
  func isSame(_ row: Int, as otherRow: Int, of other: Grid) -> Bool {
    precondition(size.width == other.size.width)
    let (places, otherPlaces) = (places(ofRow: row), other.places(ofRow: otherRow))
    precondition(cells.indices.contains(places) && other.cells.indices.contains(otherPlaces))
    // Every frame compares all cells. They have no references and no unused bytes, so their memory is compared.
    return cells.withUnsafeBytes { cells in
      other.cells.withUnsafeBytes { others in
        let stride = MemoryLayout<Cell>.stride
        guard let cells = cells.baseAddress, let others = others.baseAddress else { return true }
        let (one, two) = (cells + places.lowerBound * stride, others + otherPlaces.lowerBound * stride)
        return memcmp(one, two, places.count * stride) == 0
      }
    }
  }

  /// Returns the columns of a row that are sent to a terminal which shows `previous`: those that look different, and
  /// short gaps between them.
  ///
  /// - Precondition: Both grids have the same size.
  func changedColumns(inRow row: Int, since previous: Grid) -> [Range<Int>] {
    if isSame(row, as: row, of: previous) { return [] }
    let cells = self.row(row)
    var ranges: [Range<Int>] = []
    var place = cells.startIndex
    while let difference = firstPlace(from: place, before: cells.endIndex, isAlike: false, previous) {
      place = firstPlace(from: difference, before: cells.endIndex, isAlike: true, previous) ?? cells.endIndex
      // A wide character is sent as a whole.
      let first = difference - cells.startIndex - (cells[difference].isContinuation ? 1 : 0)
      if place < cells.endIndex, cells[place].isContinuation { place += 1 }
      let end = place - cells.startIndex
      if let last = ranges.last, isShortGap(last.upperBound..<max(first, last.upperBound), in: cells) {
        ranges[ranges.endIndex - 1] = last.lowerBound..<end
      } else {
        ranges.append(first..<end)
      }
    }
    return ranges
  }

  /// Returns the place of the first cell that looks, or does not look, like the one in the same place of another grid.
  private func firstPlace(from start: Int, before end: Int, isAlike: Bool, _ previous: Grid) -> Int? {
    precondition(start >= 0 && end <= cells.count && end <= previous.cells.count)
    return cells.withUnsafeBufferPointer { cells in
      previous.cells.withUnsafeBufferPointer { old in
        var place = start
        while place < end, cells[place].looksLike(old[place]) != isAlike { place += 1 }
        return place < end ? place : nil
      }
    }
  }

  /// Returns whether cells are few, and are blanks or have the style of the cell before them.
  private func isShortGap(_ columns: Range<Int>, in cells: ArraySlice<Cell>) -> Bool {
    guard columns.count <= Self.shortGap else { return false }
    let start = cells.startIndex
    let before = cells[start + columns.lowerBound - 1].style
    return columns.allSatisfy { cells[start + $0].style == before || cells[start + $0].isPlainBlank }
  }
}
