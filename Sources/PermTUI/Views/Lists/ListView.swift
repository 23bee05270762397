import PermModel

/// Draws the list of the open view.
struct ListView {
  let state: State
  private let list: ListState
  private let matrix: MatrixList?
  private let capabilityList: CapabilityList?
  private let decisionList: DecisionList?

  init(state: State) {
    self.state = state
    list = state.list
    matrix = state.screen == .matrix ? MatrixList(state: state) : nil
    capabilityList =
      state.screen == .capabilities
      ? CapabilityList(desk: state.desk, width: state.layout.list.size.width) : nil
    decisionList =
      switch state.screen {
      case .capability: DecisionList(desk: state.desk, subject: .program)
      case .program: DecisionList(desk: state.desk, subject: .capability)
      default: nil
      }
  }

  func draw(into grid: inout Grid) {
    let frame = state.layout.list
    let places = list.visible(state.layout.rowCount)
    let rows = places.map { row(list.rows[$0]) ?? ListRow() }
    let order = state.order
    let table = ListTable(
      columns.map { $0.order == order ? marked($0) : $0 }, width: frame.size.width, rows: adapts ? rows : [],
      typesetter: state.desk.typesetter)
    table.drawHeading(at: frame.origin, into: &grid)
    for (offset, place) in places.enumerated() {
      let position = Position(row: frame.origin.row + 1 + offset, column: frame.origin.column)
      let isSelected = place == list.selected
      table.draw(rows[offset], isSelected: isSelected, at: position, into: &grid)
      if list.isFiltered { grid.underline(list.filter.text, inRow: position.row) }
      if isSelected {
        grid.cursor = Grid.Cursor(position: Position(row: position.row, column: position.column + 1))
      }
    }
    if list.rows.isEmpty { drawEmpty(into: &grid) }
  }

  private func drawEmpty(into grid: inout Grid) {
    let frame = state.layout.list
    let text = list.isFiltered ? "Nothing matches the filter." : emptyWords
    let lines = state.desk.typesetter.lines(text, Style(.muted), width: frame.size.width - 6)
    let position = Position(row: frame.origin.row + 1, column: 3)
    grid.put(lines.prefix(state.layout.rowCount), at: position, length: frame.size.width - 3)
  }

  /// Whether the columns adapt to their content. The text of the other lists is made for the columns.
  private var adapts: Bool {
    switch state.screen {
    case .capabilities, .matrix, .help: false
    default: true
    }
  }

  private var columns: [Column] {
    switch state.screen {
    case .capabilities: CapabilityList.columns
    case .capability, .program: (hasValues ? decisionList?.valueColumns : decisionList?.columns) ?? []
    case .waiting: WaitingList.columns(state.layout.list.size.width, hasHeadings: state.hasHeadings)
    case .help: HelpList.columns(state.size.width)
    case .programs: ProgramList.columns
    case .matrix: matrix?.columns ?? []
    case .operations: OperationList.columns(state.size.width)
    case .journal: journalList.columns
    }
  }

  /// Returns the row with this ID; `nil` if its data no longer exists.
  private func row(_ id: RowID) -> ListRow? {
    switch id {
    case .capability(let name): state.desk.data.capability(name).flatMap { capabilityList?.row($0) }
    case .absent: capabilityList?.row(absent: state.absent.count, areShown: state.showsAbsent)
    case .decision(let id): state.desk.data.decision(id).flatMap { decisionList?.row($0) }
    case .group(let id):
      decisionList?.row(state.desk.data.group(id), isExpanded: state.expanded.contains(id))
    case .gone(let id): state.desk.marks.news(of: id).flatMap { decisionList?.row($0) }
    case .waiting(let id): waitingRow(id)
    case .desktop(let id): desktopRow(id)
    case .heading(let program): waitingList.heading(program)
    case .line(let number, part: let part): HelpList(state: state).row(number, part: part)
    case .program(let program):
      matrix.map { $0.row(program) } ?? ProgramList(desk: state.desk).row(program)
    case .operation(let id): state.desk.data.operation(id).map { OperationList(desk: state.desk).row($0) }
    case .journal(let id): state.desk.data.journalRow(id).map { journalList.row($0) }
    }
  }

  /// Returns the column by which the list is sorted, with a sign in its title.
  private func marked(_ column: Column) -> Column {
    var column = column
    let sign = column.order?.isDescending == list.isReversed ? "▲" : "▼"
    column.title += sign
    column.brief = column.brief.map { $0 + sign }
    return column
  }

  private var journalList: JournalList {
    JournalList(desk: state.desk, width: state.size.width)
  }

  /// Whether any of the first rows is about values, whose names need more space.
  private var hasValues: Bool {
    list.rows.prefix(500).contains { row in
      switch row {
      case .group: true
      case .decision(let id): id.atoms.contains { $0.scope != .any }
      default: false
      }
    }
  }

  private func desktopRow(_ id: DesktopEntries.ID) -> ListRow? {
    let list = DesktopList(desk: state.desk)
    return decisionList.map { list.decisionRow(id, $0.subject) } ?? list.programRow(id)
  }

  private func waitingRow(_ id: Alert.ID) -> ListRow? {
    guard let item = state.desk.waiting[id] else { return nil }
    switch state.screen {
    case .waiting:
      return waitingList.row(item)
    case .operations: return OperationList(desk: state.desk).row(item)
    default: return decisionList?.row(item)
    }
  }

  private var waitingList: WaitingList {
    WaitingList(desk: state.desk, marked: state.marked, hasHeadings: state.hasHeadings)
  }

  private var emptyWords: String {
    switch state.screen {
    case .capabilities: state.desk.data.isLoaded ? "No capability is known." : "Reading…"
    case .capability: "Nothing is decided about it, and no program is waiting for it."
    case .programs, .matrix: "No program has asked yet, and none has an answer."
    case .program: "Nothing is decided for this program any longer."
    case .waiting: "Nothing waits."
    case .operations: "Nothing waits for an answer, and no operation holds or waits for anything."
    case .journal: "Nothing has happened yet."
    case .help: ""
    }
  }
}
