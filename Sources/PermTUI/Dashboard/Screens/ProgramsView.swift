import PermModel

/// All programs, each with its allowed and denied capabilities.
struct ProgramsView: ScreenView {
  var context: KeyContext { .programs }
  var orders: [SortOrder] { [.name, .decided] }
  var keepsOrder: Bool { true }

  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? { StoreNeeds(decisions: .all) }

  func rows(in state: State) -> [RowID] {
    state.desk.data.knownPrograms.map { .program($0) } + state.desk.desktop.ids.map { .desktop($0) }
  }

  func emptyWords(in state: State) -> String { "No program has asked yet, and none has an answer." }

  func table(in state: State) -> ViewTable {
    let list = ProgramTable(desk: state.desk)
    return ViewTable(columns: ProgramTable.columns) { row in
      switch row {
      case .program(let program): list.row(program)
      case .desktop(let id): list.row(id)
      default: nil
      }
    }
  }

  func take(_ command: Command, in state: inout State) -> [Effect]? {
    command == .forgetUnused ? state.desk.forgetUnused() : nil
  }

  func pane(in state: State, width: Int) -> Pane {
    let text = PaneText(state: state, width: width)
    switch state.list.selection {
    case .program(let program):
      return Pane(title: state.desk.name(of: program), lines: text.about(program))
    case .desktop(let id):
      return Pane(title: text.visible("\(id.appWords): \(id.place)"), lines: desktop(id, text))
    default: return Pane()
    }
  }

  /// Returns the details of a row of the desktop's store.
  private func desktop(_ id: DesktopEntries.ID, _ text: PaneText) -> [TextLine] {
    let desk = text.state.desk
    guard let permissions = desk.desktop[id] else { return [] }
    let says = text.wrapped(
      "The desktop's own store says: \(text.visible(permissions.joined(separator: " ")))")
    guard !id.isForeign else {
      return says
        + text.wrapped("It belongs to another service of the desktop, and is only shown.", Style(.muted))
    }
    let next = id.next(after: permissions).map { next in
      "\(desk.key(.open)) makes it \(text.visible(next.joined(separator: " "))). "
    }
    let removal = "\(desk.key(.forget)) removes it, so that the app has to ask again."
    return says + text.wrapped((next ?? "") + removal, Style(.muted))
  }
}

extension Screen {
  static let programs = Screen(ProgramsView())
}

private struct ProgramTable {
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

  /// Returns the row of the desktop's store.
  func row(_ id: DesktopEntries.ID) -> ListRow? {
    guard let permissions = desk.desktop[id] else { return nil }
    let isDenied = DesktopEntries.areDenials(permissions)
    let says = desk.visible(permissions.joined(separator: " "))
    let words = "\(DesktopEntries.mark): \(desk.visible(id.place)) \(says)"
    return ListRow(cells: [
      TextLine.Span(desk.visible(id.appWords)), TextLine.Span(isDenied ? "" : words),
      TextLine.Span(isDenied ? words : "", .denied), TextLine.Span("–", .muted),
    ])
  }
}
