import PermModel

/// One capability: its decisions, the requests for it, and its example.
struct CapabilityView: ScreenView {
  let id: String

  var context: KeyContext { .capability }
  var orders: [SortOrder] { [.given, .name, .decided] }

  func title(on desk: Desk) -> String? { desk.data.capability(id)?.title ?? id }
  func exists(on desk: Desk) -> Bool { !desk.data.isLoaded || desk.data.capability(id) != nil }
  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? { StoreNeeds(decisions: .capability(id)) }
  func companion(in state: State) -> ScreenLayout.Companion { .rows(9) }

  func rows(in state: State) -> [RowID] {
    let desk = state.desk
    return state.rows(of: desk.data.decisions(about: id)) + desk.data.waiting(for: id).map { .waiting($0.id) }
      + desk.marks.gone.filter { $0.id.capability == id }.map { .gone($0.id) }
      + desk.desktop.ids(about: id).map { .desktop($0) }
  }

  func unfolded(_ rows: [RowID], in state: State) -> [RowID] { state.withMembers(rows) }

  func emptyWords(in state: State) -> String {
    "There are no decisions about it, and no program is waiting for it."
  }

  func table(in state: State) -> ViewTable {
    DecisionTable(desk: state.desk, subject: .program).table(in: state)
  }

  func visible(in state: State) -> VisibleParts { state.visibleDecisions { $0.capability == id } }

  func isIdle(_ command: Command, in state: State) -> Bool {
    command == .runExample && state.desk.data.capability(id)?.example == nil
  }

  func take(_ command: Command, in state: inout State) -> [Effect]? {
    guard let row = state.desk.data.capability(id) else { return nil }
    switch command {
    case .askNow: return state.desk.askNow(row)
    case .runExample: return state.desk.runExample(row)
    default: return nil
    }
  }

  func pane(in state: State, width: Int) -> Pane {
    let text = PaneText(state: state, width: width)
    return Pane(
      title: text.title(ofCapability: id),
      lines: state.desk.data.capability(id).map { CapabilityText(text: text, capability: $0).lines } ?? [])
  }
}

extension Screen {
  static func capability(_ id: String) -> Screen { Screen(CapabilityView(id: id)) }
}

/// The details of one capability: its status, its example with the result, and the selected decision.
private struct CapabilityText {
  let text: PaneText
  let capability: CapabilityRow

  private var desk: Desk { text.state.desk }

  var lines: [TextLine] { may + fact("Status", status) + remedy + example + selected }

  private var status: TextLine.Span {
    guard let why = capability.unavailability else {
      let status = desk.data.status(of: capability)
      if case .mixed = status { return TextLine.Span(status.words) }
      return status.span
    }
    return TextLine.Span("– unavailable: \(text.visible(why.reason))", .muted)
  }

  private var remedy: [TextLine] {
    guard let remedy = capability.unavailability?.remedy else { return [] }
    return fact("", TextLine.Span("To change that: \(text.visible(remedy))", .muted))
  }

  private var example: [TextLine] {
    guard let name = capability.example else { return fact("Example", TextLine.Span("none", .muted)) }
    let words = text.visible(name)
    switch desk.examples[capability.id] {
    case nil:
      return fact("Example", TextLine.Span("\(words): \(desk.key(.runExample)) runs it", .muted))
    case .running:
      return fact("Example", TextLine.Span("\(words): it runs, or waits for an answer", .attention))
    case .ended(.failed(let reason), let moment):
      let end = "\(words), \(desk.short(moment)): did not run. \(text.visible(reason))"
      return fact("Example", TextLine.Span(end, .denied))
    case .ended(.done(let found), let moment):
      let heading = fact("Example", TextLine.Span("\(words), \(desk.short(moment)):", .allowed))
      return heading + found.flatMap { fact("", TextLine.Span(text.visible($0))) }
    }
  }

  private var selected: [TextLine] {
    guard let row = text.selectedDecision else { return [] }
    var lines =
      fact(
        "Program",
        TextLine.Span(row.subject.path.map { text.visible(HomeFolder.shortened($0)) } ?? "not seen yet")
      )
    if let used = row.lastUsed { lines += fact("Last used", TextLine.Span(desk.exact(used))) }
    if let note = row.note { lines += fact("Note", TextLine.Span("\" \(text.visible(note)) \"")) }
    return lines
  }

  /// The values that the selected decision is about, because a column might not have enough space for it.
  private var may: [TextLine] {
    guard let row = text.selectedDecision, row.isAboutValues else { return [] }
    return fact(row.verdict == .allow ? "May" : "May not", TextLine.Span(desk.may(row)))
  }

  private func fact(_ name: String, _ value: TextLine.Span) -> [TextLine] {
    text.typesetter.hang(value.text, value.style, behind: name, column: 11, width: text.width)
  }
}
