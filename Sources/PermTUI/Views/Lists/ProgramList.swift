import PermModel

/// The rows of all programs, each with its allowed and denied capabilities.
struct ProgramList {
  let desk: Desk

  static let columns = [
    Column(title: "Program", width: 18, weight: 1), Column(title: "May use", width: 28, weight: 3),
    Column(title: "May not use", width: 18, weight: 2),
    Column(title: "Decided", width: 12, isOptional: true, isRightAligned: true),
  ]

  func row(_ program: Subject) -> ListRow {
    let rows = desk.data.decisions(for: program)
    let last = rows.map(\.decidedAt).max()
    return ListRow(
      mark: desk.marks.sign { news in rows.contains { $0.id.news == news } },
      cells: [
        TextLine.Span(desk.visible(program.name)),
        TextLine.Span(desk.capabilities(of: rows, .allow), .allowed),
        TextLine.Span(desk.capabilities(of: rows, .deny), .denied),
        TextLine.Span(last.map { desk.short($0) } ?? "–", .muted),
      ])
  }
}
