import PermModel

/// One program: what is decided for it.
struct ProgramView: ScreenView {
  let program: Subject

  var context: KeyContext { .program }
  var orders: [SortOrder] { [.given, .name, .decided] }

  func title(on desk: Desk) -> String? { desk.name(of: program) }
  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? { StoreNeeds(decisions: .program(program)) }

  func rows(in state: State) -> [RowID] {
    let desk = state.desk
    return state.rows(of: desk.data.decisions(for: program))
      + desk.marks.gone.filter { $0.id.subject == program }.map { .gone($0.id) }
      + desk.desktopEntries(of: program).map { .desktop($0) }
  }

  func unfolded(_ rows: [RowID], in state: State) -> [RowID] { state.withMembers(rows) }
  func emptyWords(in state: State) -> String { "There are no decisions for this program any longer." }

  func table(in state: State) -> ViewTable {
    DecisionTable(desk: state.desk, subject: .capability).table(in: state)
  }

  func visible(in state: State) -> VisibleParts { state.visibleDecisions { $0.subject == program } }

  func pane(in state: State, width: Int) -> Pane {
    Pane(
      title: state.desk.name(of: program), lines: PaneText(state: state, width: width).about(program))
  }
}

extension Screen {
  static func program(_ program: Subject) -> Screen { Screen(ProgramView(program: program)) }
}
