/// The rows of the journal, newest first.
struct JournalList {
  let desk: Desk

  static let columns = [
    Column(title: "When", width: 14), Column(title: "What happened", width: 16),
    Column(title: "Program", width: 15, weight: 1), Column(title: "Capability", width: 15, weight: 1),
    Column(title: "By", width: 16, weight: 2, isOptional: true),
  ]

  func row(_ row: JournalRow) -> ListRow {
    let role: Style.Role =
      row.kind.hasPrefix("allowed")
      ? .allowed : row.kind.hasPrefix("denied") || row.kind == "refused" ? .denied : .normal
    return ListRow(cells: [
      TextLine.Span(desk.short(row.at), .muted),
      TextLine.Span(row.kind, role), TextLine.Span(desk.visible(row.program)),
      TextLine.Span(desk.visible(row.what)), TextLine.Span(desk.visible(row.detail), .muted),
    ])
  }
}
