extension Grid {
  /// The columns of a row from the first to the last whose cell `previous` has otherwise; `nil` where none has. No wide
  /// character is cut by them, in neither grid.
  ///
  /// - Precondition: Both grids have the same size.
  func changedColumns(inRow row: Int, since previous: Grid) -> Range<Int>? {
    let start = row * size.width
    let places = start..<start + size.width
    guard var first = places.first(where: { cells[$0] != previous.cells[$0] }),
      var last = places.last(where: { cells[$0] != previous.cells[$0] })
    else { return nil }
    func isContinuation(_ place: Int) -> Bool {
      cells[place].isContinuation || previous.cells[place].isContinuation
    }
    while first > start, isContinuation(first) { first -= 1 }
    while last + 1 < places.upperBound, isContinuation(last + 1) { last += 1 }
    return first - start..<last + 1 - start
  }
}
