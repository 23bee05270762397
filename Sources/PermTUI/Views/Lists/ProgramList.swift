import PermModel

/// The rows of all programs, each with its allowed and denied capabilities.
struct ProgramList {
  let desk: Desk

  static let columns = [
    Column(title: "Program", width: 18, weight: 2, order: .name),
    Column(title: "May use", width: 26, weight: 3),
    Column(title: "May not use", width: 20, weight: 2),
    Column(title: "Decided", width: 12, order: .decided, isOptional: true, isRightAligned: true),
  ]

  func row(_ program: Subject) -> ListRow {
    let status = ProgramStatus(of: program, in: desk.data)
    let decided = status.decided
    let rows = desk.data.decisions(for: program)
    let last = rows.map(\.decidedAt).max()
    return ListRow(
      mark: desk.marks.sign { news in rows.contains { $0.id.news == news } },
      cells: [
        TextLine.Span(desk.name(of: program)), may(status, decided), mayNot(status, decided),
        TextLine.Span(last.map { desk.short($0) } ?? "–", .muted),
      ])
  }

  /// Returns what the program waits for, followed by what it may use.
  private func may(_ status: ProgramStatus, _ decided: [(capability: String, status: PairStatus)])
    -> TextLine.Span
  {
    let suspended = names(decided, [.suspended])
    let names = suspended.isEmpty ? self.names(decided, [.allowed, .mixed]) : "‖ \(suspended)"
    let awaited = self.names(status.awaited)
    guard awaited.isEmpty else {
      return TextLine.Span("? \(awaited)\(names.isEmpty ? "" : "; \(names)")", .attention)
    }
    return TextLine.Span(names, suspended.isEmpty ? .allowed : .attention)
  }

  private func mayNot(
    _ status: ProgramStatus, _ decided: [(capability: String, status: PairStatus)]
  ) -> TextLine.Span {
    let denied = names(decided, [.denied, .mixed])
    guard let mute = status.mute else { return TextLine.Span(denied, .denied) }
    return TextLine.Span(
      "muted \(mute.lifetime.words(desk.short))\(denied.isEmpty ? "" : "; \(denied)")", .denied)
  }

  private func names(
    _ decided: [(capability: String, status: PairStatus)], _ statuses: Set<PairStatus>
  ) -> String {
    names(decided.filter { statuses.contains($0.status) }.map(\.capability))
  }

  private func names(_ capabilities: [String]) -> String {
    desk.visible(capabilities.map { desk.name(ofCapability: $0) }.joined(separator: ", "))
  }
}
