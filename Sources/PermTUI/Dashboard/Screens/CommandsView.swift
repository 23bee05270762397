import PermModel

/// The command lines that agents asked for, with what can be kept for each.
struct CommandsView: ScreenView {
  var context: KeyContext { .commands }
  var orders: [SortOrder] { [.given] }

  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? {
    StoreNeeds(decisions: .all, commands: true)
  }

  func rows(in state: State) -> [RowID] {
    state.desk.data.commands?.rows.map { .command($0.subject, line: $0.line) } ?? []
  }

  func grouped(_ rows: [RowID], in state: State) -> [RowID] {
    var last: Subject?
    return rows.flatMap { row -> [RowID] in
      guard case .command(let program, _) = row, program != last else { return [row] }
      last = program
      return [.heading(program), row]
    }
  }

  func searchText(of row: RowID, in state: State) -> String? {
    guard case .command(let program, let line) = row else { return nil }
    return "\(program.name) \(program.folder?.path ?? "") \(line)"
  }

  func emptyWords(in state: State) -> String {
    state.desk.data.commands == nil ? "Reading…" : "No agent has asked for a command in a folder."
  }

  func table(in state: State) -> ViewTable {
    let list = CommandTable(desk: state.desk)
    return ViewTable(columns: CommandTable.columns) { row in
      switch row {
      case .command(let program, let line): state.desk.data.commands?[program, line].map(list.row)
      case .heading(let program, _): program.map(list.heading)
      default: nil
      }
    }
  }

  private func selected(_ state: State) -> AskedCommands.Row? {
    guard case .command(let program, let line) = state.list.selection else { return nil }
    return state.desk.data.commands?[program, line]
  }
}

// MARK: - Keys

extension CommandsView {
  func openLabel(of row: RowID, in state: State) -> String? {
    guard let row = selected(state) else { return nil }
    return state.desk.keeping(row) == nil ? "keep" : "change"
  }

  func take(_ command: Command, in state: inout State) -> [Effect]? {
    guard let row = selected(state) else { return nil }
    switch command {
    case .open: state.openKeeping(of: row)
    case .copy: return state.desk.copy([row.atom])
    default: return nil
    }
    return []
  }
}

extension State {
  /// Opens the form that keeps a line, or changes what was kept for it.
  fileprivate mutating func openKeeping(of row: AskedCommands.Row) {
    if let kept = desk.keeping(row) { return openChange(of: kept.id) }
    guard let capability = desk.data.capability(row.atom.capability) else { return }
    let draft = DecisionDraft(
      subject: row.subject, capability: capability, proposed: desk.offers(row),
      protected: desk.data.protected(), writer: desk.data.writer(in: row.subject.folder))
    desk.open(Form(.change(draft)))
  }
}

extension Desk {
  /// Returns the decision that was kept for a line as it is offered. One that has an effect comes before one that rests.
  fileprivate func keeping(_ row: AskedCommands.Row) -> DecisionRow? {
    let kept = data.decisions(for: row.subject).filter { decision in
      row.offers.contains { decision.atoms == [$0] }
    }
    return kept.first { writer(restingFor: $0) == nil } ?? kept.first
  }

  /// Returns the name of the program because of which a decision rests; `nil` if it does not rest.
  fileprivate func writer(restingFor row: DecisionRow) -> String? {
    if case .rests(let writer) = data.effect(of: row) { writer } else { nil }
  }

  /// Returns what can be kept for a line: first what has an effect, the widest first, then what would rest.
  fileprivate func offers(_ row: AskedCommands.Row) -> [Atom] {
    row.offers.filter { !wouldRest($0, for: row) } + row.offers.filter { wouldRest($0, for: row) }
  }

  /// Whether an allow until log-out would rest at once.
  fileprivate func wouldRest(_ atom: Atom, for row: AskedCommands.Row) -> Bool {
    data.writer(in: row.subject.folder) != nil && atom.restsWhileWritten(endsWithSession: true)
  }
}

// MARK: - Details

extension CommandsView {
  func pane(in state: State, width: Int) -> Pane {
    guard let row = selected(state) else { return Pane() }
    let (text, desk) = (PaneText(state: state, width: width), state.desk)
    let times = row.count == 1 ? "Asked once" : "Asked \(row.count) times, last"
    return Pane(
      title: desk.name(of: row.subject),
      lines: text.wrapped(desk.visible(desk.valueWords(row.atom)), Style(bold: true))
        + text.wrapped("\(times) \(desk.exact(row.lastAt))")
        + text.wrapped(keeping(row, desk)))
  }

  private func keeping(_ row: AskedCommands.Row, _ desk: Desk) -> String {
    let key = desk.key(.open)
    if let kept = desk.keeping(row) {
      let rest = desk.writer(restingFor: kept).map { ", but \(restWords($0, desk))" } ?? ""
      return "\(kept.verdict.past) \(kept.lifetime.words(desk.short))\(rest). \(key) changes that."
    }
    guard let widest = row.offers.first, widest != row.atom else { return "\(key) keeps this line." }
    let words = desk.visible(desk.valueWords(widest))
    guard desk.wouldRest(widest, for: row), let writer = desk.data.writer(in: row.subject.folder) else {
      return "\(key) keeps \(words), or this line only."
    }
    return "\(key) keeps this line. If \(words) is kept, \(restWords(writer, desk))."
  }

  private func restWords(_ writer: String, _ desk: Desk) -> String {
    desk.visible(DecidedAtoms.Obstacle.rests(writer: writer).words)
  }
}

extension Screen {
  static let commands = Screen(CommandsView())
}

/// The rows of the command lines.
private struct CommandTable {
  static let columns = [
    Column(title: "Asked", width: 7),
    Column(title: "Line", width: 34, weight: 6, cut: .counted),
    Column(title: "Can be kept as", brief: "Kept as", width: 18, weight: 4),
    Column(title: "Last", width: 9, isOptional: true, isRightAligned: true),
  ]

  let desk: Desk

  func heading(_ program: Subject) -> ListRow {
    ListRow(text: TextLine.Span(desk.name(of: program), .accent))
  }

  func row(_ asked: AskedCommands.Row) -> ListRow {
    ListRow(cells: [
      TextLine.Span("\(asked.count)", .muted), TextLine.Span(desk.visible(desk.valueWords(asked.atom))),
      offer(asked), TextLine.Span(desk.short(asked.lastAt), .muted),
    ])
  }

  private func offer(_ asked: AskedCommands.Row) -> TextLine.Span {
    if let kept = desk.keeping(asked) {
      if kept.verdict == .deny { return TextLine.Span("✕ denied", .denied) }
      return desk.writer(restingFor: kept) == nil
        ? TextLine.Span("● allowed", .allowed) : TextLine.Span("‖ rests", .attention)
    }
    let widest = desk.offers(asked)[0]
    return TextLine.Span(widest == asked.atom ? "this line" : desk.visible(desk.valueWords(widest)))
  }
}

extension AskedCommands.Row {
  /// The atom that stands for exactly this line.
  fileprivate var atom: Atom { Atom("commands", "run", .command(line)) }
  /// The atoms that can be kept for the line, the widest first.
  fileprivate var offers: [Atom] {
    offer == .command(line) ? [atom] : [Atom("commands", "run", offer), atom]
  }
}
