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
  /// The part that a longer text loses.
  var cut = Cut.end

  enum Cut: Hashable, Sendable {
    case end
    /// The middle, because the ends of paths tell them apart.
    case middle
    /// The end, with the number of characters that are cut.
    case counted
  }
}

extension Column {
  /// Returns the columns with their widths adapted so that they fill `width` cells. A column that is left out is `nil`.
  ///
  /// - Parameter hasContent: Whether there is anything in the column with this index. On a narrow screen, an optional
  ///   column without content leaves its cells to the others.
  static func fit(
    _ columns: [Column], into width: Int, where hasContent: (Int) -> Bool = { _ in true }
  ) -> [Column?] {
    let isNarrow = width < LayoutWidth.places
    let shown = columns.indices.filter { !isNarrow || !columns[$0].isOptional || hasContent($0) }
    var fitted = [Column?](repeating: nil, count: columns.count)
    for (place, width) in zip(shown, widths(of: shown.map { columns[$0] }[...], into: width)) {
      fitted[place] = width.map { columns[place].with(width: $0) }
    }
    return fitted
  }

  private func with(width: Int) -> Column {
    var column = self
    column.width = width
    return column
  }

  /// Returns the widths with which the columns fill `width` cells. A column that is left out has none.
  static func widths(of columns: ArraySlice<Column>, into width: Int) -> [Int?] {
    let places = columns.indices
    var widths: [Int?] = places.map { columns[$0].width }
    func total() -> Int { widths.reduce(0) { $0 + ($1 ?? 0) } }
    for place in places.reversed() where columns[place].isOptional && total() > width {
      widths[place] = nil
    }
    let flexible = places.filter { widths[$0] != nil && columns[$0].weight > 0 }
    let weights = flexible.reduce(0) { $0 + columns[$1].weight }
    guard let lastFlexible = flexible.last else { return widths }
    let rest = width - total()
    var given = 0
    for place in flexible {
      let share = rest * columns[place].weight / weights
      widths[place] = max(narrowest, columns[place].width + share)
      given += share
    }
    widths[lastFlexible]? += rest - given
    guard let last = widths.lastIndex(where: { $0 != nil }), last > 1 else { return widths }
    let isTooNarrow = flexible.contains { (widths[$0] ?? 0) < narrowest }
    return total() > width || isTooNarrow ? self.widths(of: columns.prefix(last), into: width) : widths
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
