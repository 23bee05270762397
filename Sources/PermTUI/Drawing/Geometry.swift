/// The size of a screen or of a part of it, in cells.
struct Size: Hashable, Sendable {
  var width: Int
  var height: Int
}

/// A cell's position on a screen; row and column count from zero at the top left.
struct Position: Hashable, Sendable {
  var row: Int
  var column: Int
}

/// A rectangle of cells.
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

  /// Returns the part that both cover; empty if they do not touch.
  func intersection(_ other: Rect) -> Rect {
    let top = max(rows.lowerBound, other.rows.lowerBound)
    let left = max(columns.lowerBound, other.columns.lowerBound)
    let bottom = min(rows.upperBound, other.rows.upperBound)
    let right = min(columns.upperBound, other.columns.upperBound)
    return Rect(row: top, column: left, width: max(0, right - left), height: max(0, bottom - top))
  }
}
