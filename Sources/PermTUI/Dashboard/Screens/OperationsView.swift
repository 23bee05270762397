import PermModel

/// The view of the alerts that wait for the person's answer, and of the operations that hold an exclusion category or wait
/// for one.
struct OperationsView: ScreenView {
  var context: KeyContext { .operations }
  var orders: [SortOrder] { [.given, .name, .since] }

  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? { StoreNeeds(operations: true) }

  /// Returns what waits for an answer, and then the operations. An operation that merely shows one of the waiting alerts
  /// is left out.
  func rows(in state: State) -> [RowID] {
    let desk = state.desk
    let alerts = Set(desk.waitingItems.map(\.summary))
    let operations = desk.data.operations.filter {
      $0.category != OperationRow.screen || !alerts.contains($0.operation)
    }
    return desk.waitingItems.map { .waiting($0.id) } + operations.map { .operation($0.id) }
  }

  func emptyWords(in state: State) -> String {
    "No question waits for an answer, and no operation holds or waits for anything."
  }

  func table(in state: State) -> ViewTable {
    let list = OperationTable(desk: state.desk)
    return ViewTable(columns: Self.columns(state.size.width)) { row in
      switch row {
      case .waiting(let id): state.desk.waiting[id].map(list.row)
      case .operation(let id): state.desk.data.operation(id).map(list.row)
      default: nil
      }
    }
  }

  func pane(in state: State, width: Int) -> Pane {
    let text = PaneText(state: state, width: width)
    switch state.list.selection {
    case .waiting(let id):
      let reason = state.desk.waiting[id].map { "No answer yet: \(state.desk.reason(for: $0))" }
      return Pane(lines: text.about(id) + (reason.map { text.wrapped($0) } ?? []))
    case .operation(let id): return Pane(lines: operation(id, text))
    default: return Pane()
    }
  }

  private func operation(_ id: String, _ text: PaneText) -> [TextLine] {
    guard let row = text.state.desk.data.operation(id) else { return [] }
    let time = text.state.desk.exact(row.since)
    let verb = row.isHolding ? "holds" : "waits for"
    return text.wrapped(
      "\(text.visible(row.operation)) \(verb) \(text.visible(row.category)) since \(time).")
      + (row.why.isEmpty ? [] : text.wrapped(text.visible(row.why)))
  }

  /// Returns the columns for a screen of this width. A narrow screen leaves the reasons to the details below the list.
  static func columns(_ width: Int) -> [Column] {
    if width < LayoutWidth.narrow {
      return [
        Column(title: "Category", width: 12, weight: 1, gap: 1),
        Column(title: "Operation", width: 24, weight: 2, order: .name, cut: .middle),
      ]
    }
    let most = [
      Column(title: "Category", width: 16, weight: 1),
      Column(
        title: "Operation", width: width < LayoutWidth.usual ? 29 : 28, weight: 2, order: .name,
        cut: .middle),
      Column(title: "Since", width: 11, order: .since),
    ]
    return width < LayoutWidth.usual ? most : most + [Column(title: "Why", width: 21, weight: 3)]
  }
}

extension Screen {
  static let operations = Screen(OperationsView())
}

/// The rows for what waits for the person's answer, and for operations that hold an exclusion category or wait for one.
private struct OperationTable {
  let desk: Desk

  func row(_ row: OperationRow) -> ListRow {
    let sign = row.isHolding ? "●" : "○"
    return ListRow(cells: [
      TextLine.Span(desk.visible(row.category)),
      TextLine.Span("\(sign) \(desk.visible(row.operation))", row.isHolding ? .allowed : .normal),
      TextLine.Span(desk.exact(row.since), .muted),
      TextLine.Span(row.isHolding ? "holds it" : desk.visible(row.why)),
    ])
  }

  /// Returns the row for a request or another alert, which holds the screen or waits for it.
  func row(_ item: WaitingRow) -> ListRow {
    let isShown = [.onScreen, .elsewhere, .onTerminal].contains(desk.place(of: item))
    return ListRow(cells: [
      TextLine.Span("your answer"),
      TextLine.Span("\(isShown ? "●" : "○") \(desk.visible(desk.summary(of: item)))", .attention),
      TextLine.Span(desk.exact(item.askedAt), .muted), TextLine.Span(desk.reason(for: item)),
    ])
  }
}
