/// A list as the person left it: its selection, filter, order and scroll position.
struct ListState: Sendable {
  /// The state that the rows were made from. The rows are made again only when it changes.
  struct Basis: Hashable, Sendable {
    var revision: Int
    var filter: String
    var order: Int
    var isReversed: Bool

    func isSameOrder(as other: Basis) -> Bool { order == other.order && isReversed == other.isReversed }
  }

  /// Without it, the next refresh sorts the rows again.
  var basis: Basis?
  /// The rows that pass the filter, in their order.
  private(set) var rows: [RowID] = []
  /// The rows without the filter.
  private(set) var all: [RowID] = []
  /// The index of the selected row in `rows`; 0 if there are none.
  private(set) var selected = 0
  /// The first row on the screen.
  private(set) var top = 0
  var filter = TextField()
  /// The index of the current order among the screen's orders; 0 is the first one's.
  var order = 0
  var isReversed = false

  var selection: RowID? { rows.indices.contains(selected) ? rows[selected] : nil }
  var isFiltered: Bool { !filter.isEmpty }

  /// Returns the rows that are visible on a screen with room for `height` of them.
  func visible(_ height: Int) -> Range<Int> {
    let top = min(top, max(0, rows.count - height))
    return top..<min(rows.count, top + max(0, height))
  }

  mutating func select(_ row: RowID) {
    if let place = rows.firstIndex(of: row) { selected = place }
  }

  mutating func move(by distance: Int) {
    selected = min(max(0, selected + distance), max(0, rows.count - 1))
  }

  /// Returns the given rows in their previous order, whether the filter hid them or not; new ones come last.
  ///
  /// - Complexity: O(*n*).
  func inShownOrder(_ rows: [RowID]) -> [RowID] {
    let places = Dictionary(zip(all, all.indices), uniquingKeysWith: { first, _ in first })
    let known = rows.filter { places[$0] != nil }.sorted { (places[$0] ?? 0) < (places[$1] ?? 0) }
    return known + rows.filter { places[$0] == nil }
  }

  /// Replaces the rows. The selected row stays selected, and at the same height on the screen; if it is gone, the row
  /// in its place is selected.
  mutating func setRows(_ rows: [RowID], of all: [RowID]) {
    let selection = selection
    self.all = all
    guard rows != self.rows else { return }
    self.rows = rows
    if let selection, let place = rows.firstIndex(of: selection) {
      top += place - selected
      selected = place
    } else {
      selected = min(selected, max(0, rows.count - 1))
    }
  }

  /// Scrolls as little as possible to bring the selection onto the screen.
  mutating func scroll(height: Int) {
    let height = max(1, height)
    if selected < top { top = selected }
    if selected >= top + height { top = selected - height + 1 }
    top = min(max(0, top), max(0, rows.count - height))
  }
}
