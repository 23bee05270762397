import Machine
import PermModel

/// A day: the programs that asked, with their hours as bars, and what became of each request.
struct DayView: ScreenView {
  var context: KeyContext { .day }
  var orders: [SortOrder] { [.given] }

  func title(on desk: Desk) -> String? {
    guard let day = desk.data.day else { return context.title }
    return desk.context.clock.words(for: day.number, today: desk.today)
      + (day.isWhole ? "" : ", still reading")
  }

  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? {
    StoreNeeds(day: DayNumber(desk.today.value - place.page))
  }

  /// Returns the day that is open, once it is read.
  private func page(_ state: State) -> DayPage? {
    state.desk.data.day.flatMap { $0.number == needs(in: state.list, on: state.desk)?.day ? $0 : nil }
  }

  func rows(in state: State) -> [RowID] { page(state)?.programs.map(RowID.init) ?? [] }

  /// Returns the programs with the requests of those that are unfolded. A filter searches all requests.
  func unfolded(_ rows: [RowID], in state: State) -> [RowID] {
    guard let page = page(state) else { return [] }
    return rows.flatMap { row -> [RowID] in
      guard state.list.unfolded.contains(row) || state.list.isFiltered else { return [row] }
      return [row] + page.rows(of: row.dayProgram).map { .journal($0.id) }
    }
  }

  func searchText(of row: RowID, in state: State) -> String? {
    guard case .journal(let id) = row, let request = page(state)?[id] else { return nil }
    return "\(request.subject?.name ?? "") \(request.what(state.desk.valueWords)) \(request.outcome)"
  }

  func emptyWords(in state: State) -> String {
    page(state) == nil ? "Reading…" : "No program asked on this day."
  }

  func table(in state: State) -> ViewTable {
    guard let page = page(state) else { return ViewTable(columns: DayTable.columns) { _ in nil } }
    let list = DayTable(desk: state.desk, page: page, width: state.layout.list.size.width)
    return ViewTable(columns: DayTable.columns) { row in
      switch row {
      case .program: page.programs.first { RowID($0) == row }.map(list.row)
      case .journal(let id): page[id].map(list.row)
      default: nil
      }
    }
  }
}

// MARK: - Keys

extension DayView {
  func openLabel(of row: RowID, in state: State) -> String? {
    switch row {
    case .program: state.list.unfolded.contains(row) ? "hide" : "list"
    case .journal(let id): page(state)?[id]?.subject == nil ? nil : "program"
    default: nil
    }
  }

  func isIdle(_ command: Command, in state: State) -> Bool { command == .right && state.list.page == 0 }

  func take(_ command: Command, in state: inout State) -> [Effect]? {
    switch (command, state.list.selection) {
    case (.left, _): state.turn(to: state.list.page + 1)
    case (.right, _) where state.list.page == 0: return state.desk.say("No later day has begun.")
    case (.right, _): state.turn(to: state.list.page - 1)
    case (.open, .program?): state.list.selection.map { state.list.toggle($0) }
    case (.open, .journal(let id)):
      if let program = page(state)?[id]?.subject { state.screens.append(.program(program)) }
    case (.copy, .journal(let id)): return state.desk.copy(Set(page(state)?[id]?.values ?? []))
    default: return nil
    }
    return []
  }
}

extension State {
  /// Shows another day, from its first row on.
  fileprivate mutating func turn(to page: Int) {
    list.page = page
    list.basis = nil
    list.move(by: -list.rows.count)
  }
}

// MARK: - Details

extension DayView {
  func pane(in state: State, width: Int) -> Pane {
    let text = PaneText(state: state, width: width)
    guard let page = page(state) else { return Pane() }
    switch state.list.selection {
    case .program?:
      guard let program = page.programs.first(where: { RowID($0) == state.list.selection }) else { break }
      let name = DayTable(desk: state.desk, page: page, width: width).name(of: program.subject)
      return Pane(title: "\(name): \(program.total.words)", lines: hours(of: program))
    case .journal(let id):
      guard let row = page[id] else { break }
      let name = DayTable(desk: state.desk, page: page, width: width).name(of: row.subject)
      return Pane(title: "\(name), \(state.desk.exact(row.at))", lines: details(of: row, text))
    default: break
    }
    return Pane()
  }

  /// Returns a line of bars for each way in which requests ended, and the hours below them.
  private func hours(of program: Day.Program) -> [TextLine] {
    let hours = program.hours.map(\.kinds)
    let most = hours.flatMap { $0.map(\.count) }.max() ?? 0
    let bars = program.total.kinds.enumerated().filter { $0.element.count > 0 }.map { place, kind in
      let bar = HourBar(hours.map { $0[place].count }, most: most).text
      return TextLine(kind.name.padding(to: 11), Style(.muted)).adding(bar, Style(.accent))
        .adding("  \(kind.count)")
    }
    return bars + [TextLine("".padding(to: 11) + HourBar.scale, Style(.muted))]
  }

  private func details(of row: Day.Row, _ text: PaneText) -> [TextLine] {
    let desk = text.state.desk
    let author = row.author(desk.valueWords) { desk.exact($0) }
    let values = row.values.map(desk.valueWords).joined(separator: " · ")
    let end = [row.outcome, row.used].filter { !$0.isEmpty }.joined(separator: "; ")
    return text.wrapped(desk.typesetter.visibleWords(values.isEmpty ? row.capability ?? "" : values))
      + text.wrapped("\(end)\(author.isEmpty ? "" : ": \(desk.visible(author))")", Style(row.role))
      + (row.text.map { text.wrapped("Note: \" \(text.visible($0)) \"") } ?? [])
  }
}

extension Screen {
  static let day = Screen(DayView())
}

/// The rows of the day.
private struct DayTable {
  static let columns = [
    Column(title: "Program, what", width: 27, weight: 5, cut: .counted),
    Column(title: HourBar.scale, brief: "Hours", width: HourBar.length + 1, gap: 1),
    Column(title: "Numbers, by", width: 14, weight: 3, gap: 1),
    Column(title: "Used", width: 9, weight: 1, isOptional: true),
  ]

  let desk: Desk
  let page: DayPage
  /// The width of the list, in cells.
  let width: Int

  /// The greatest number of requests in one hour of one program.
  private var most: Int { page.programs.flatMap { $0.hours.map(\.all) }.max() ?? 0 }

  /// Returns the name of a program; entries of the journal without a program share one row.
  func name(of program: Subject?) -> String { program.map(desk.name(of:)) ?? "other programs" }

  func row(_ program: Day.Program) -> ListRow {
    ListRow(cells: [
      TextLine.Span(name(of: program.subject)),
      TextLine.Span(HourBar(program.hours.map(\.all), most: most).text, .accent),
      TextLine.Span(program.total.words, .muted),
    ])
  }

  func row(_ request: Day.Row) -> ListRow {
    let what = TextLine.Span("  \(desk.time(request.at)) \(desk.visible(request.what(desk.valueWords)))")
    let outcome = TextLine.Span(request.outcome, request.role)
    let used = TextLine.Span(request.used, request.uses.failed > 0 ? .attention : .normal)
    // On a narrow screen, the value takes the room of the bars, too. The details say who answered.
    if width < LayoutWidth.places {
      return ListRow(cells: [what, TextLine.Span(""), outcome, used], span: 2)
    }
    let author = TextLine.Span(desk.visible(request.author(desk.valueWords, desk.time)), .muted)
    return ListRow(cells: [what, outcome, author, used])
  }
}

/// Numbers of the 24 hours of a day, as bars of one cell each.
private struct HourBar {
  static let length = 24
  /// The hours below the bars, at their cells.
  static let scale = "0     6     12    18    "

  let text: String

  /// - Parameter most: The number for a bar of the whole height.
  init(_ numbers: [Int], most: Int) {
    let signs: [Character] = ["▁", "▃", "▅", "█"]
    text = String(
      numbers.map { number in
        number == 0 ? " " : signs[min(signs.count - 1, number * signs.count / max(1, most + 1))]
      })
  }
}

extension RowID {
  fileprivate init(_ program: Day.Program) { self = .program(program.subject ?? .everyone) }

  /// The program of a row; `nil` for the row that stands for entries without a program.
  fileprivate var dayProgram: Subject? {
    if case .program(let program) = self, !program.isEveryone { program } else { nil }
  }
}

extension Desk {
  /// Returns the time of day.
  func time(_ moment: Timestamp) -> String { context.clock.local(moment).time }

  /// Returns a value in words, which are not escaped.
  func valueWords(_ atom: Atom) -> String {
    atom.valueWords { atom in
      data.capability(atom.capability)?.definition?.shownReference(for: [atom]) ?? atom.capability
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: width - count) }
}
