/// The rows of the journal, newest first.
struct JournalList {
  /// The width of the screen from which times have seconds, in cells.
  static let widthForSeconds = 120

  let desk: Desk
  let hasSeconds: Bool

  var columns: [Column] {
    [
      Column(title: "When", width: hasSeconds ? 17 : 14, order: .given),
      Column(title: "What happened", width: 16),
      Column(title: "Program", width: 15, weight: 1), Column(title: "Capability", width: 15, weight: 1),
      Column(title: "By", width: 16, weight: 2, isOptional: true),
    ]
  }

  func row(_ row: JournalRow) -> ListRow {
    let role: Style.Role =
      row.kind.hasPrefix("allowed")
      ? .allowed : row.kind.hasPrefix("denied") || row.kind == "refused" ? .denied : .normal
    return ListRow(cells: [
      TextLine.Span(hasSeconds ? desk.exact(row.at) : desk.short(row.at), .muted),
      TextLine.Span(row.kind, role), TextLine.Span(desk.visible(row.program)),
      TextLine.Span(desk.visible(row.what)), TextLine.Span(desk.visible(row.detail), .muted),
    ])
  }
}
