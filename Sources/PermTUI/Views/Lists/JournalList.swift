/// The rows of the journal, newest first.
struct JournalList {
  let desk: Desk
  /// The width of the screen, in cells.
  let width: Int

  private var hasSeconds: Bool { width >= LayoutWidth.wide }
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
    return [
      Column(title: "When", width: hasSeconds ? 22 : 14, order: .given),
      Column(title: "What happened", width: 16),
      Column(title: "Program", width: 15, weight: 1), Column(title: "Capability", width: 15, weight: 1),
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
