/// Rows of the screen that the terminal can move instead of being sent them again.
struct ScrolledRows: Equatable {
  /// The bytes that moving rows takes, at most.
  private static let cost = 20

  /// The rows within which others are moved.
  let rows: Range<Int>
  /// The number of rows by which they are moved upwards; negative if they are moved downwards.
  let distance: Int

  /// Finds the rows of which most move by the same distance; `nil` if sending them again takes about as many bytes.
  ///
  /// - Complexity: O(*n*²) in the number of rows that differ.
  init?(from shown: Grid, to grid: Grid) {
    let changed = (0..<grid.size.height).filter { !grid.isSame($0, as: $0, of: shown) }
    let checksums = changed.map { shown.checksum(ofRow: $0) }
    var found: [Int: [Int]] = [:]
    for row in changed {
      let checksum = grid.checksum(ofRow: row)
      for place in changed.indices where checksums[place] == checksum {
        let source = changed[place]
        guard grid.isSame(row, as: source, of: shown), grid.endOfText(inRow: row) > 0 else { continue }
        found[source - row, default: []].append(row)
      }
    }
    let best = found.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    guard let (distance, moved) = best, let first = moved.first, let last = moved.last else { return nil }
    rows = min(first, first + distance)..<max(last, last + distance) + 1
    self.distance = distance
    guard saving(from: shown, to: grid) > Self.cost else { return nil }
  }

  /// Returns how many fewer bytes are sent after the movement, roughly.
  private func saving(from shown: Grid, to grid: Grid) -> Int {
    var moved = shown
    moved.scroll(rows, by: distance)
    return rows.reduce(0) {
      $0 + Self.bytes(of: $1, in: grid, since: shown) - Self.bytes(of: $1, in: grid, since: moved)
    }
  }

  private static func bytes(of row: Int, in grid: Grid, since shown: Grid) -> Int {
    let end = grid.endOfText(inRow: row)
    let changed = grid.changedColumns(inRow: row, since: shown)
    let text = changed.reduce(0) { $0 + $1.clamped(to: 0..<end).count }
    // The blanks at the end are erased by one sequence.
    return text + (changed.last.map { $0.upperBound > end ? min(4, $0.count) : 0 } ?? 0)
  }
}
