import PermModel

/// The rows of all programs, each with its allowed and denied capabilities.
struct ProgramList {
  let desk: Desk

  static let columns = [
    Column(title: "Program", width: 18, weight: 2), Column(title: "May use", width: 28, weight: 3),
    Column(title: "May not use", width: 18, weight: 2),
    Column(title: "Decided", width: 12, isOptional: true, isRightAligned: true),
  ]

  func row(_ program: Subject) -> ListRow {
    let status = ProgramStatus(of: program, in: desk.data)
    let rows = desk.data.decisions(for: program)
    let last = rows.map(\.decidedAt).max()
    return ListRow(
      mark: desk.marks.sign { news in rows.contains { $0.id.news == news } },
      cells: [
        TextLine.Span(desk.name(of: program)), may(status), mayNot(status),
        TextLine.Span(last.map { desk.short($0) } ?? "–", .muted),
      ])
  }

  /// Returns what the program waits for, followed by what it may use.
  private func may(_ status: ProgramStatus) -> TextLine.Span {
    let suspended = status.capabilities([.suspended])
    let names = suspended.isEmpty ? names(status.capabilities([.allowed, .mixed])) : "‖ \(names(suspended))"
    let awaited = self.names(status.awaited)
    guard awaited.isEmpty else {
      return TextLine.Span("? \(awaited)\(names.isEmpty ? "" : "; \(names)")", .attention)
    }
    return TextLine.Span(names, suspended.isEmpty ? .allowed : .attention)
  }

  private func mayNot(_ status: ProgramStatus) -> TextLine.Span {
    let denied = names(status.capabilities([.denied, .mixed]))
    guard let mute = status.mute else { return TextLine.Span(denied, .denied) }
    return TextLine.Span(
      "muted \(mute.lifetime.words(desk.short))\(denied.isEmpty ? "" : "; \(denied)")", .denied)
  }

  private func names(_ capabilities: [String]) -> String {
    desk.visible(capabilities.map { desk.name(ofCapability: $0) }.joined(separator: ", "))
  }
}
