/// The ends of rows that are blank while a frame is sent. Erasing a blank changes at most its colour, which cannot be
/// seen, as no style has a background. Rows and columns are counted from 1.
struct BlankTrace {
  /// The column from which on each row is blank, if it has been needed.
  private var starts: [Int?]
  /// The grid that the screen showed before the frame.
  private let previous: Grid?

  init(_ size: Size, _ previous: Grid?) {
    self.previous = previous?.size == size ? previous : nil
    starts = Array(repeating: self.previous == nil ? .max : nil, count: size.height)
  }

  mutating func isBlank(_ row: Int?, from column: Int) -> Bool {
    guard let row, starts.indices.contains(row - 1) else { return false }
    return column >= start(row)
  }

  /// Notes that text can be in the columns before this one; in any row if `row` is `nil`.
  mutating func fill(_ row: Int?, before column: Int) {
    if let row, starts.indices.contains(row - 1) {
      starts[row - 1] = max(start(row), column)
    } else {
      starts = starts.map { _ in .max }
    }
  }

  /// Follows the rows that are scrolled upwards by a number of rows, or downwards if it is negative.
  mutating func scroll(_ region: Range<Int>, by rows: Int) {
    let old = region.map { (row: $0, start: starts.indices.contains($0 - 1) ? start($0) : .max) }
    for (row, _) in old where starts.indices.contains(row - 1) {
      starts[row - 1] = region.contains(row + rows) ? old[row + rows - region.lowerBound].start : 1
    }
  }

  private mutating func start(_ row: Int) -> Int {
    if let known = starts[row - 1] { return known }
    let start = previous.map { $0.endOfText(inRow: row - 1) + 1 } ?? .max
    starts[row - 1] = start
    return start
  }
}
