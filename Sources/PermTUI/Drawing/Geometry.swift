/// The size of a screen or of a part of it, in cells.
struct Size: Hashable, Sendable {
  var width: Int
  var height: Int
}

/// A cell's position on a screen. Rows and columns are numbered from zero, starting at the top left.
struct Position: Hashable, Sendable {
  var row: Int
  var column: Int
}

struct Rect: Hashable, Sendable {
  var origin: Position
  var size: Size

  init(row: Int, column: Int, width: Int, height: Int) {
    origin = Position(row: row, column: column)
    size = Size(width: width, height: height)
  }

  init(_ size: Size) {
    self.init(row: 0, column: 0, width: size.width, height: size.height)
  }

  var rows: Range<Int> { origin.row..<origin.row + max(0, size.height) }
  var columns: Range<Int> { origin.column..<origin.column + max(0, size.width) }

  /// Returns the area that both rectangles cover; empty if they do not overlap.
  func intersection(_ other: Rect) -> Rect {
    let rows = rows.clamped(to: other.rows)
    let columns = columns.clamped(to: other.columns)
    return Rect(row: rows.lowerBound, column: columns.lowerBound, width: columns.count, height: rows.count)
  }
}
