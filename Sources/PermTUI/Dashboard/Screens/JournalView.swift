import PermModel

/// The journal, newest first.
struct JournalView: ScreenView {
  var context: KeyContext { .journal }
  // The journal is read page by page. An order other than by time would also need the entries not read yet.
  var orders: [SortOrder] { [.given] }

  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? {
    StoreNeeds(journal: StoreNeeds.journalPage)
  }

  func searchReach(in state: State) -> String? {
    let desk = state.desk
    let search = desk.data.search.flatMap { $0.text == state.list.filter.text ? $0 : nil }
    if search?.isWhole == true { return "in the whole journal" }
    let parts = [
      search?.goesOn == false ? nil : "so far", search?.reached.map { "back to \(desk.short($0))" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  func rows(in state: State) -> [RowID] { state.desk.data.journal.map { .journal($0.id) } }
  func emptyWords(in state: State) -> String { "Nothing has happened yet." }

  func table(in state: State) -> ViewTable {
    let list = JournalTable(
      desk: state.desk, width: state.size.width, listWidth: state.layout.list.size.width)
    return ViewTable(columns: list.columns) { row in
      if case .journal(let id) = row { state.desk.data.journalRow(id).map(list.row) } else { nil }
    }
  }

  func pane(in state: State, width: Int) -> Pane {
    guard case .journal(let id) = state.list.selection, let row = state.desk.data.journalRow(id) else {
      return Pane()
    }
    let text = PaneText(state: state, width: width)
    let whole = row.values.isEmpty ? row.what : row.values.joined(separator: " · ")
    let words = [row.kind, row.program, whole].filter { !$0.isEmpty }.map(text.visible)
    return Pane(
      lines: text.wrapped("\(state.desk.exact(row.at))  \(words.joined(separator: ", "))")
        + (row.detail.isEmpty ? [] : text.wrapped(text.visible(row.detail))))
  }
}

extension Screen {
  static let journal = Screen(JournalView())
}

private struct JournalTable {
  let desk: Desk
  /// The width of the screen, in cells.
  let width: Int
  /// The width of the list, beside which there can be details.
  let listWidth: Int

  private var hasSeconds: Bool { width >= LayoutWidth.wide && listWidth >= LayoutWidth.places }
  /// Whether program and capability share a column, because there is no space for two.
  private var isNarrow: Bool { width < LayoutWidth.narrow }

  var columns: [Column] {
    if isNarrow {
      return [
        Column(title: "When", width: 10, gap: 1, order: .given),
        Column(title: "What happened", brief: "Event", width: 10, weight: 1, gap: 1),
        Column(title: "Program, what", width: 16, weight: 2),
      ]
    }
    // In a narrow list, the value takes the room that it needs from the columns beside it. The details have all of them.
    let weight = listWidth < LayoutWidth.wide ? 0 : 1
    return [
      Column(title: "When", width: hasSeconds ? 22 : 14, order: .given),
      Column(title: "What happened", width: 16), Column(title: "Program", width: 15, weight: 1),
      Column(title: "Capability", width: 15, weight: weight, cut: .counted),
      Column(title: "By, or why", width: 16, weight: 2, isOptional: true),
    ]
  }

  func row(_ row: JournalRow) -> ListRow {
    let role: Style.Role =
      row.kind.hasPrefix("allowed")
      ? .allowed : row.kind.hasPrefix("denied") || row.kind == "refused" ? .denied : .normal
    let names = [row.program, row.what].map(desk.visible)
    let shown = isNarrow ? [names.filter { !$0.isEmpty }.joined(separator: ", ")] : names
    return ListRow(
      cells: [
        TextLine.Span(hasSeconds ? desk.exact(row.at) : desk.short(row.at), .muted),
        TextLine.Span(row.kind, role),
      ] + shown.map { TextLine.Span($0) } + [TextLine.Span(desk.visible(row.detail), .muted)])
  }
}
