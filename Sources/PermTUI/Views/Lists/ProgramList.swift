import PermModel

/// The rows of all programs, each with the capabilities that it may and may not use.
struct ProgramList {
  let state: State

  static let columns = [
    Column(title: "Program", width: 18, weight: 1), Column(title: "May use", width: 28, weight: 3),
    Column(title: "May not use", width: 18, weight: 2),
    Column(title: "Decided", width: 12, isOptional: true, isRightAligned: true),
  ]

  func row(_ program: Subject) -> ListRow {
    let rows = state.data.decisions(for: program)
    let last = rows.map(\.decidedAt).max()
    return ListRow(
      mark: mark(rows),
      [
        TextLine.Span(state.typesetter.visible(program.label)),
        TextLine.Span(names(rows, .allow), .allowed), TextLine.Span(names(rows, .deny), .denied),
        TextLine.Span(last.map { state.short($0) } ?? "–", .muted),
      ])
  }

  private func mark(_ rows: [DecisionRow]) -> String {
    if rows.contains(where: { state.marks.unseen.contains($0.id.news) }) { return "!" }
    return rows.contains { state.marks.fresh.contains($0.id.news) } ? "*" : " "
  }

  private func names(_ rows: [DecisionRow], _ verdict: Verdict) -> String {
    var names: [String] = []
    for row in rows where row.verdict == verdict {
      let name = state.name(ofCapability: row.capability)
      if !names.contains(name) { names.append(name) }
    }
    return state.typesetter.visible(names.joined(separator: ", "))
  }
}

extension State {
  /// Returns a capability's name in lists. The mute of a program counts as everything.
  func name(ofCapability id: String) -> String {
    id == Atom.everything.capability ? "everything" : data.capability(id)?.title ?? id
  }
}
