import PermModel

/// The rows for what waits for the person's answer, and for operations that hold an exclusion category or wait for one.
struct OperationList {
  let desk: Desk

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
  func row(_ item: WaitingItem) -> ListRow {
    let isShown = [.onScreen, .elsewhere, .onTerminal].contains(desk.place(of: item))
    return ListRow(cells: [
      TextLine.Span("your answer"),
      TextLine.Span("\(isShown ? "●" : "○") \(desk.visible(desk.summary(of: item)))", .attention),
      TextLine.Span(desk.exact(item.askedAt), .muted), TextLine.Span(desk.reason(for: item)),
    ])
  }
}
