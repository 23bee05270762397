import PermModel

/// The rows of all programs, each with its allowed and denied capabilities.
struct ProgramList {
  let desk: Desk

  static let columns = [
    Column(title: "Program", width: 18, weight: 1, order: .name, cut: .middle),
    Column(title: "May use", width: 26, weight: 3),
    Column(title: "May not use", brief: "May not", width: 20, weight: 2),
    Column(title: "Decided", width: 12, order: .decided, isOptional: true, isRightAligned: true),
  ]

  func row(_ program: Subject) -> ListRow {
    let summary = ProgramSummary(program, on: desk)
    let rows = desk.data.decisions(for: program)
    let last = rows.map(\.decidedAt).max()
    return ListRow(
      mark: desk.marks.sign { news in rows.contains { $0.id.news == news } },
      cells: [
        TextLine.Span(desk.name(of: program)), may(summary), mayNot(summary),
        TextLine.Span(last.map { desk.short($0) } ?? "–", .muted),
      ])
  }

  /// Returns what the program waits for, followed by what it may use.
  private func may(_ summary: ProgramSummary) -> TextLine.Span {
    let names = summary.suspended.isEmpty ? summary.allowed : "‖ \(summary.suspended)"
    guard summary.awaited.isEmpty else {
      return TextLine.Span("? \(summary.awaited)\(names.isEmpty ? "" : "; \(names)")", .attention)
    }
    return TextLine.Span(names, summary.suspended.isEmpty ? .allowed : .attention)
  }

  private func mayNot(_ summary: ProgramSummary) -> TextLine.Span {
    guard let mute = summary.mute else { return TextLine.Span(summary.denied, .denied) }
    let denied = summary.denied.isEmpty ? "" : "; \(summary.denied)"
    return TextLine.Span("muted \(mute)\(denied)", .denied)
  }
}
