/// The memory of a view: the selection, filter, order, scroll position and unfolded rows of its list.
struct ViewPlace: Sendable {
  /// The state from which rows are made. The rows are made again only when this state changes.
  struct Basis: Hashable, Sendable {
    var revision: Int
    var filter: String
    var order: Int
    var isReversed: Bool
    /// The width of the screen, if the number of rows depends on it; otherwise 0.
    var width = 0

    /// How often the desktop's rows were listed. They come in parts, which belong between each other.
    var listings = 0

    func isSameOrder(as other: Basis) -> Bool {
      order == other.order && isReversed == other.isReversed && listings == other.listings
    }
  }

  /// The state from which the current rows were made. If it is `nil`, the next refresh sorts the rows again.
  var basis: Basis?
  /// The rows that match the filter, in display order.
  private(set) var rows: [RowID] = []
  /// The indices in `rows` of the headings, which cannot be selected.
  private var headings: [Int] = []
  /// All rows, regardless of the filter.
  private(set) var all: [RowID] = []
  /// The index in `rows` of the selected row; 0 if there are no rows.
  private(set) var selected = 0
  /// The index of the first row on the screen.
  private(set) var top = 0
  var filter = TextField()
  /// The index of the current sort order among those that the screen offers; 0 stands for the initial order.
  var order = 0
  var isReversed = false
  /// The rows that the person has unfolded.
  var unfolded: Set<RowID> = []
  /// The column that is selected in the matrix, by its capability; `nil` for the first.
  var column: String?
  /// The index of the first line of the details on the screen, while the keys scroll the details; `nil` while they move the
  /// selection.
  var detailsTop: Int?
  /// The number of pages before the first that the person has turned to, in a view with pages such as days.
  var page = 0

  var selection: RowID? { rows.indices.contains(selected) ? rows[selected] : nil }
  var isFiltered: Bool { !filter.isEmpty }

  /// Returns the indices of the rows that are visible on a screen with space for `height` rows.
  func visible(_ height: Int) -> Range<Int> {
    let top = min(top, max(0, rows.count - height))
    return top..<min(rows.count, top + max(0, height))
  }

  /// Unfolds a row, or folds it again.
  mutating func toggle(_ row: RowID) {
    if unfolded.remove(row) == nil { unfolded.insert(row) }
    basis = nil
  }

  mutating func select(_ row: RowID) {
    detailsTop = nil
    if let place = rows.firstIndex(of: row) { selected = place }
  }

  mutating func move(by distance: Int) {
    detailsTop = nil
    selected = min(max(0, selected + distance), max(0, rows.count - 1))
    leaveHeading(towards: distance < 0 ? -1 : 1)
  }

  /// Selects the row beside the selected one if that is a heading.
  private mutating func leaveHeading(towards step: Int) {
    guard rows.indices.contains(selected), rows[selected].isHeading else { return }
    let beside = [selected + step, selected - step]
    selected = beside.first { rows.indices.contains($0) && !rows[$0].isHeading } ?? selected
  }

  /// The number of rows before an index, or in all, that are no headings.
  func count(before end: Int? = nil) -> Int {
    let end = end ?? rows.count
    return end - headings.count { $0 < end }
  }

  /// Returns the given rows, including those that the filter hid, in their previous order. New rows come last.
  ///
  /// - Complexity: O(*n* log *n*), with one look-up for each row.
  func inShownOrder(_ rows: [RowID]) -> [RowID] {
    let places = Dictionary(zip(all, all.indices), uniquingKeysWith: { first, _ in first })
    let placed = rows.map { (row: $0, place: places[$0] ?? .max) }
    let new = placed.filter { $0.place == .max }
    return (placed.filter { $0.place != .max }.sorted { $0.place < $1.place } + new).map(\.row)
  }

  /// Replaces the rows. The selected row stays selected, at the same height on the screen. If it no longer
  /// exists, the row that is now at its index is selected.
  mutating func setRows(_ rows: [RowID], of all: [RowID]) {
    let selection = selection
    self.all = all
    guard rows != self.rows else { return }
    self.rows = rows
    headings = rows.indices.filter { rows[$0].isHeading }
    defer { leaveHeading(towards: 1) }
    if let selection, let place = rows.firstIndex(of: selection) {
      top += place - selected
      selected = place
    } else {
      detailsTop = nil
      selected = min(selected, max(0, rows.count - 1))
    }
  }

  /// Scrolls as little as possible to bring the selection onto the screen.
  mutating func scroll(height: Int) {
    let height = max(1, height)
    if selected < top { top = selected }
    if selected >= top + height { top = selected - height + 1 }
    if selected == top, top > 0, height > 1, rows[top - 1].isHeading { top -= 1 }
    top = min(max(0, top), max(0, rows.count - height))
  }
}
