struct Column: Hashable, Sendable {
  var title: String
  /// A shorter title for a column that is too narrow for the whole one.
  var brief: String?
  /// The column's width on a screen of 80 cells, including the gap before the next column.
  var width: Int
  /// The column's share of the difference if the screen is wider or narrower than 80 cells. The share is relative to
  /// the sum of all columns' weights.
  var weight = 0
  /// The number of cells between the column's text and the next column.
  var gap = 2
  /// The order in which the list is sorted by this column.
  var order: SortOrder?
  /// Whether the column is left out if there is not enough space.
  var isOptional = false
  var isRightAligned = false
  /// Whether a longer text loses its middle instead of its end. The ends of paths tell them apart.
  var keepsEnd = false
}

extension Column {
  /// Returns the columns with their widths adapted so that they fill `width` cells. A column that is left out is `nil`.
  static func fit(_ columns: [Column], into width: Int) -> [Column?] {
    var shown: [Column?] = columns
    func total() -> Int { shown.reduce(0) { $0 + ($1?.width ?? 0) } }
    for place in columns.indices.reversed() where columns[place].isOptional && total() > width {
      shown[place] = nil
    }
    let weights = shown.reduce(0) { $0 + ($1?.weight ?? 0) }
    guard weights > 0 else { return shown }
    let rest = width - total()
    var given = 0
    for place in shown.indices {
      guard let column = shown[place], column.weight > 0 else { continue }
      let share = rest * column.weight / weights
      shown[place]?.width = max(narrowest, column.width + share)
      given += share
    }
    if let place = shown.lastIndex(where: { ($0?.weight ?? 0) > 0 }) { shown[place]?.width += rest - given }
    guard let last = shown.lastIndex(where: { $0 != nil }), last > 1 else { return shown }
    let isTooNarrow = shown.contains { column in
      column.map { $0.weight > 0 && $0.width < narrowest } ?? false
    }
    return total() > width || isTooNarrow ? fit(Array(columns.prefix(last)), into: width) : shown
  }

  /// Returns fitted columns after moving cells from columns that need fewer than they have to columns whose text would
  /// be cut. A column without a weight holds something that means nothing if it is cut, such as a time, so it also takes
  /// cells that other columns need.
  ///
  /// - Parameters:
  ///   - needs: The width that the content of each column takes, in cells, including the gap after it.
  ///   - least: The width that each column keeps, whatever others need.
  static func adapt(_ columns: [Column?], to needs: [Int], least: [Int]) -> [Column?] {
    var columns = columns
    let shown = columns.indices.filter { columns[$0] != nil }
    func spare(_ place: Int) -> Int { (columns[place]?.width ?? 0) - needs[place] }
    func move(_ count: Int, from giver: Int, to taker: Int) {
      columns[giver]?.width -= count
      columns[taker]?.width += count
    }
    while let giver = shown.max(by: { spare($0) < spare($1) }), spare(giver) > 0,
      let taker = shown.filter({ spare($0) < 0 }).max(by: { spare($0) < spare($1) })
    {
      move(min(spare(giver), -spare(taker)), from: giver, to: taker)
    }
    func rest(_ place: Int) -> Int { (columns[place]?.width ?? 0) - max(narrowest, least[place]) }
    let flexible = shown.filter { (columns[$0]?.weight ?? 0) > 0 }
    for taker in shown where columns[taker]?.weight == 0 {
      while spare(taker) < 0, let giver = flexible.max(by: { rest($0) < rest($1) }), rest(giver) > 0 {
        move(1, from: giver, to: taker)
      }
    }
    return columns
  }

  /// The smallest width of a column, in cells. If the columns do not fit with it, the last one is left out.
  static let narrowest = 9
}
