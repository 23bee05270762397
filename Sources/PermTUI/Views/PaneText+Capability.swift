import PermModel

extension PaneText {
  /// Returns the details for the view of one capability: its status, its example with the result, and the
  /// selected decision.
  func details(of id: String) -> [TextLine] {
    guard let capability = state.desk.data.capability(id) else { return [] }
    return may + fact("Status", status(capability)) + remedy(capability) + example(capability) + selected
  }

  private func status(_ capability: CapabilityRow) -> TextLine.Span {
    guard let why = capability.unavailability else {
      let status = state.desk.data.status(of: capability)
      if case .mixed = status { return TextLine.Span(status.words) }
      return status.span
    }
    return TextLine.Span("– unavailable: \(typesetter.visible(why.reason))", .muted)
  }

  private func remedy(_ capability: CapabilityRow) -> [TextLine] {
    guard let remedy = capability.unavailability?.remedy else { return [] }
    return fact("", TextLine.Span("To change that: \(typesetter.visible(remedy))", .muted))
  }

  private func example(_ capability: CapabilityRow) -> [TextLine] {
    guard let name = capability.example else { return fact("Example", TextLine.Span("none", .muted)) }
    let words = typesetter.visible(name)
    switch state.desk.examples[capability.id] {
    case nil:
      return fact("Example", TextLine.Span("\(words): \(state.desk.key(.runExample)) runs it", .muted))
    case .running:
      return fact("Example", TextLine.Span("\(words): it runs, or waits for an answer", .attention))
    case .ended(.failed(let reason), let moment):
      let end = "\(words), \(state.desk.short(moment)): did not run. \(typesetter.visible(reason))"
      return fact("Example", TextLine.Span(end, .denied))
    case .ended(.done(let found), let moment):
      let heading = fact("Example", TextLine.Span("\(words), \(state.desk.short(moment)):", .allowed))
      return heading + found.flatMap { fact("", TextLine.Span(typesetter.visible($0))) }
    }
  }

  private var selected: [TextLine] {
    guard let row = selectedDecision else { return [] }
    var lines =
      fact(
        "Program",
        TextLine.Span(row.subject.path.map { typesetter.visible(HomeFolder.shortened($0)) } ?? "not seen yet")
      )
    if let used = row.lastUsed { lines += fact("Last used", TextLine.Span(state.desk.exact(used))) }
    if let note = row.note { lines += fact("Note", TextLine.Span("\" \(typesetter.visible(note)) \"")) }
    return lines
  }

  /// The values that the selected decision is about, because a column might not have enough space for it.
  private var may: [TextLine] {
    guard let row = selectedDecision, row.isAboutValues else { return [] }
    return fact(row.verdict == .allow ? "May" : "May not", TextLine.Span(state.desk.may(row)))
  }

  private func fact(_ name: String, _ value: TextLine.Span) -> [TextLine] {
    typesetter.hang(value.text, value.style, behind: name, column: 11, width: width)
  }
}
