import PermModel

/// The command lines that agents asked for, with what can be kept for each.
struct CommandsView: ScreenView {
  var context: KeyContext { .commands }
  var orders: [SortOrder] { [.given] }

  func needs(in place: ViewPlace, on desk: Desk) -> ReadingWish? {
    ReadingWish(decisions: .all, commands: true)
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
      case .heading(let program): program.map(list.heading)
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
      subject: row.subject, capability: capability, proposed: row.offers, protected: desk.data.protected())
    desk.open(Form(.change(draft)))
  }
}

extension Desk {
  /// Returns the decision that was kept for a line as it is offered.
  fileprivate func keeping(_ row: AskedCommands.Row) -> DecisionRow? {
    data.decisions(for: row.subject).first { decision in row.offers.contains { decision.atoms == [$0] } }
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
      return "\(kept.verdict.past) \(kept.lifetime.words(desk.short)). \(key) changes that."
    }
    guard let widest = row.offers.first, widest != row.atom else { return "\(key) keeps this line." }
    return "\(key) keeps \(desk.visible(desk.valueWords(widest))), or this line only."
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
      return kept.verdict == .allow
        ? TextLine.Span("● allowed", .allowed) : TextLine.Span("✕ denied", .denied)
    }
    let widest = asked.offers[0]
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
