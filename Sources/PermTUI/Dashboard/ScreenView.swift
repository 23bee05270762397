import PermModel

/// A view of the dashboard, as a value without a state: its rows, columns, orders, details and keys are functions of the
/// dashboard's state. What it remembers is its ``ViewPlace``.
///
/// Each view is one file in the folder `Screens`.
protocol ScreenView: Hashable, Sendable {
  /// The context of its keys. The command that opens it from every list has the same name.
  var context: KeyContext { get }
  /// The orders that it offers, the initial order first.
  var orders: [SortOrder] { get }
  /// Whether rows keep their places when their sort keys change. If so, the rows are sorted again only when the person
  /// asks for it.
  var keepsOrder: Bool { get }
  /// Whether the person works in it, so that no alert comes up unprompted.
  var isWorkplace: Bool { get }

  /// Returns the name that the header shows; `nil` for the first view.
  func title(on desk: Desk) -> String?
  /// Returns whether there is still something to show. A view without it closes.
  func exists(on desk: Desk) -> Bool
  /// Returns the parts of the store that it reads; `nil` if the data of the view below it stays.
  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds?
  /// Returns the place of its details.
  func companion(in state: State) -> ScreenLayout.Companion

  /// Returns all rows, before sorting and filtering.
  func rows(in state: State) -> [RowID]
  /// Returns the sorted rows with those that the person has unfolded.
  func unfolded(_ rows: [RowID], in state: State) -> [RowID]
  /// Returns the rows that match the filter with headings among them.
  func grouped(_ rows: [RowID], in state: State) -> [RowID]
  /// Returns a width on which the number of rows depends; 0 if there is none.
  func rowWidth(in state: State) -> Int
  /// Returns the text in which the filter searches; `nil` for the usual text of such a row.
  func searchText(of row: RowID, in state: State) -> String?
  /// Returns how far the filter has looked, in words; `nil` if it looks at all rows at once.
  func searchReach(in state: State) -> String?

  func table(in state: State) -> ViewTable
  /// Returns the words in place of rows.
  func emptyWords(in state: State) -> String
  /// Returns the details of the selection.
  func pane(in state: State, width: Int) -> Pane
  /// Returns all that is known about the selection, for the pager.
  func whole(in state: State, width: Int) -> [TextLine]
  /// Returns the decisions, ends and requests on the screen, while no form is open.
  func visible(in state: State) -> VisibleParts

  /// Returns the label for opening a row; `nil` for the usual one of such a row.
  func openLabel(of row: RowID, in state: State) -> String?
  /// Returns whether a key of its own does nothing now.
  func isIdle(_ command: Command, in state: State) -> Bool
  /// Carries out a command of its own; returns `nil` for a command that is carried out as everywhere.
  func take(_ command: Command, in state: inout State) -> [Effect]?
}

extension ScreenView {
  var keepsOrder: Bool { false }
  var isWorkplace: Bool { false }

  func title(on desk: Desk) -> String? { context.title }
  func exists(on desk: Desk) -> Bool { true }
  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? { StoreNeeds() }
  func companion(in state: State) -> ScreenLayout.Companion { .rows(6) }
  func unfolded(_ rows: [RowID], in state: State) -> [RowID] { rows }
  func grouped(_ rows: [RowID], in state: State) -> [RowID] { rows }
  func rowWidth(in state: State) -> Int { 0 }
  func searchText(of row: RowID, in state: State) -> String? { nil }
  func searchReach(in state: State) -> String? { nil }
  func pane(in state: State, width: Int) -> Pane { Pane() }
  func whole(in state: State, width: Int) -> [TextLine] { pane(in: state, width: width).lines }
  func visible(in state: State) -> VisibleParts { VisibleParts() }
  func openLabel(of row: RowID, in state: State) -> String? { nil }
  func isIdle(_ command: Command, in state: State) -> Bool { false }
  func take(_ command: Command, in state: inout State) -> [Effect]? { nil }

  fileprivate func isSame(as other: any ScreenView) -> Bool { other as? Self == self }
}

/// An open view, which fills the screen below the header.
struct Screen: Hashable, Sendable {
  let view: any ScreenView

  init(_ view: any ScreenView) { self.view = view }

  var context: KeyContext { view.context }

  static func == (one: Screen, other: Screen) -> Bool { one.view.isSame(as: other.view) }

  func hash(into hasher: inout Hasher) { view.hash(into: &hasher) }
}

/// The columns of a view, and its rows.
struct ViewTable {
  var columns: [Column]
  /// Whether the columns adapt to their content. The text of other tables is made for the columns.
  var adapts = true
  /// Returns the row with this ID; `nil` if its data no longer exists.
  var row: (RowID) -> ListRow?
}

struct ListRow: Hashable, Sendable {
  /// The row's mark: `!` for a change made elsewhere, `*` for a change made in this dashboard, `+` for a row that the
  /// person marked; otherwise, a blank.
  var mark = " "
  var cells: [TextLine.Span] = []
  /// The number of columns that the first cell takes. The cells of the other ones among them are empty.
  var span = 1
  /// Text across all columns, in place of the cells.
  var text: TextLine.Span?
}

/// The details of the selection: lines, or a table.
struct Pane {
  struct Table {
    var columns: [Column]
    /// The first rows, as many as the pane has room for.
    var rows: [ListRow]
    /// The number of all rows.
    var count: Int
  }

  var title = "Details"
  var lines: [TextLine] = []
  var table: Table?
}

/// The decisions, ends and requests on the screen whose news the person has seen, or whose times count down.
struct VisibleParts {
  var decisions: [DecisionRow.ID] = []
  /// Decisions that were taken back elsewhere.
  var gone: [DecisionNews.ID] = []
  /// Ends of decisions that are named beside something else.
  var ends: [Timestamp] = []
  /// Requests whose ends are shown.
  var waits: [Request] = []
}
