/// Writes the bytes that change the screen from one grid to the next. Only cells that look different are sent, with short
/// gaps between them, and blanks are sent in whatever style is selected.
///
/// Curses could do the same, and does so for terminals that have no ``TerminalDialect``. But it took nearly half of the
/// time for a key: it compares all cells once more, and it computes the costs of up to ten ways to make each movement.
struct FrameWriter {
  /// The smallest number of blanks that are erased rather than written, although the cursor must then move past them.
  private static let longBlank = 11
  /// The same at the end of a row.
  private static let longEnd = 4

  private let grid: Grid
  private let dialect: TerminalDialect
  /// The grid that the terminal shows before the rows are written.
  private var shown: Grid
  private var bytes: [UInt8] = []
  /// The cursor's row, and its column if that is certain; `nil` if neither is.
  private var cursor: (row: Int, column: Int?)?
  /// The look of what is written next; `nil` if it is not certain.
  private var look: TerminalDialect.Look?

  /// Returns the bytes that change the screen from one grid to another of the same size. After them, the cursor is in
  /// its place, and no attribute is selected.
  ///
  /// - Parameter cursorIsKnown: Whether the cursor is in its place in `shown`, and no attribute is selected.
  static func bytes(from shown: Grid, cursorIsKnown: Bool, to grid: Grid, _ dialect: TerminalDialect)
    -> [UInt8]
  {
    var writer = FrameWriter(grid: grid, dialect: dialect, shown: shown)
    writer.bytes.reserveCapacity(1_024)
    if cursorIsKnown {
      writer.cursor = (shown.restingPlace.row, shown.restingPlace.column)
      writer.look = .plain
    }
    if dialect.scrolls { writer.scroll() }
    for row in 0..<grid.size.height { writer.write(row) }
    writer.move(to: grid.restingPlace.row, grid.restingPlace.column)
    writer.select(.plain)
    return writer.bytes
  }

  private init(grid: Grid, dialect: TerminalDialect, shown: Grid) {
    self.grid = grid
    self.dialect = dialect
    self.shown = shown
  }

  /// Moves rows that the terminal shows in another place already.
  private mutating func scroll() {
    guard let scroll = ScrolledRows(from: shown, to: grid) else { return }
    // The rows that become free take the colours that are selected.
    select(.plain)
    append(sequence: "r", scroll.rows.lowerBound + 1, scroll.rows.upperBound)
    append(sequence: scroll.distance > 0 ? "S" : "T", abs(scroll.distance))
    append(sequence: "r")
    cursor = nil
    shown.scroll(scroll.rows, by: scroll.distance)
  }
}

// MARK: - Rows

extension FrameWriter {
  private mutating func write(_ row: Int) {
    let changed = grid.changedColumns(inRow: row, since: shown)
    guard let last = changed.last else { return }
    let end = grid.endOfText(inRow: row)
    for columns in changed where columns.lowerBound < end {
      write(columns.lowerBound..<min(columns.upperBound, end), of: row)
    }
    if let first = changed.first(where: { $0.upperBound > end }) {
      writeEnd(of: row, after: end, max(first.lowerBound, end)..<last.upperBound)
    }
  }

  /// Writes text and the blanks in it.
  private mutating func write(_ columns: Range<Int>, of row: Int) {
    var column = columns.lowerBound
    while column < columns.upperBound {
      let blanks = grid.blanks(inRow: row, from: column, before: columns.upperBound)
      move(to: row, column)
      if blanks > 0 {
        writeBlanks(blanks)
        column += blanks
      } else {
        column = writeText(of: row, column..<columns.upperBound)
      }
    }
  }

  /// Writes text until several blanks follow. Returns the column after it.
  private mutating func writeText(of row: Int, _ columns: Range<Int>) -> Int {
    var style: Style?
    var (column, isCertain) = (columns.lowerBound, true)
    // The cells that other terminals might need in addition.
    var margin = 0
    while column < columns.upperBound, grid.blanks(inRow: row, from: column, before: columns.upperBound) < 2 {
      let cell = grid[row, column]
      column += 1
      if cell.isContinuation { continue }
      if cell.isPlainBlank {
        selectForBlanks()
        style = nil
      } else if cell.style != style {
        select(dialect.look(of: cell.style))
        style = cell.style
      }
      if let ascii = cell.glyph.ascii {
        bytes.append(ascii)
      } else {
        cell.glyph.forEachScalar {
          write($0)
          margin += 1
        }
        isCertain = isCertain && cell.glyph.usuallyTakesOneCell
      }
    }
    // Terminals disagree about the place of the cursor once the last cell of a row is filled, and about the width of
    // some characters. So after these, no movement relies on the place.
    cursor = column + margin < grid.size.width ? (row, isCertain ? column : nil) : nil
    return column
  }

  /// Writes a code point. A grid contains no control characters. Should one get there, the terminal must not obey it.
  private mutating func write(_ scalar: Unicode.Scalar) {
    let isControl = scalar.properties.generalCategory == .control
    bytes += UTF8.encode(isControl ? "?" : scalar) ?? UTF8.encodedReplacementCharacter
  }

  private mutating func writeBlanks(_ count: Int) {
    selectForBlanks()
    if dialect.erasesWithinRow, count >= Self.longBlank {
      append(sequence: "X", count)
    } else {
      bytes += repeatElement(UInt8(ascii: " "), count: count)
      advance(by: count)
    }
  }

  /// Writes blanks after which the whole row is blank. Its text ends at `end`.
  private mutating func writeEnd(of row: Int, after end: Int, _ columns: Range<Int>) {
    guard columns.count >= Self.longEnd else {
      move(to: row, columns.lowerBound)
      return writeBlanks(columns.count)
    }
    // Blanks before these can be erased, too.
    let isThere = cursor?.row == row && cursor?.column.map { end...columns.lowerBound ~= $0 } == true
    if !isThere { move(to: row, end == 0 ? 0 : columns.lowerBound) }
    selectForBlanks()
    append(sequence: "K")
  }
}

// MARK: - Looks and movements

extension FrameWriter {
  private mutating func select(_ new: TerminalDialect.Look) {
    guard new != look else { return }
    dialect.append(from: look, to: new, &bytes)
    look = new
  }

  private mutating func selectForBlanks() {
    if look?.hidesBlanks != true { select(.plain) }
  }

  private mutating func advance(by count: Int) {
    guard let (row, column) = cursor, let column else { return }
    cursor = column + count < grid.size.width ? (row, column + count) : nil
  }

  /// Moves the cursor by a short sequence.
  private mutating func move(to row: Int, _ column: Int) {
    defer { cursor = (row, column) }
    if cursor?.row == row {
      if cursor?.column != column { moveWithinRow(to: column) }
    } else if cursor?.row == row - 1 {
      // The terminal's mode can make a line feed also return to the first column, so the column is always sent.
      bytes.append(UInt8(ascii: "\n"))
      moveWithinRow(to: column)
    } else if column > 0 {
      append(sequence: "H", row + 1, column + 1)
    } else {
      append(sequence: "H", row == 0 ? nil : row + 1)
    }
  }

  private mutating func moveWithinRow(to column: Int) {
    if column == 0 { bytes.append(UInt8(ascii: "\r")) } else { append(sequence: "G", column + 1) }
  }

  /// Adds a sequence such as `ESC [ 3 ; 4 H`.
  private mutating func append(sequence final: Unicode.Scalar, _ first: Int? = nil, _ second: Int? = nil) {
    bytes += [0x1b, UInt8(ascii: "[")]
    if let first { append(decimal: first) }
    if let second {
      bytes.append(UInt8(ascii: ";"))
      append(decimal: second)
    }
    bytes.append(UInt8(ascii: final))
  }

  private mutating func append(decimal number: Int) {
    if number > 9 { append(decimal: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
