import PermModel

extension State {
  /// Carries out a command that moves the selection. Returns false if the command is of another kind.
  mutating func moveSelection(_ command: Command) -> Bool {
    if let rows = command.movement(page: max(1, layout.rowCount), of: list.rows.count) {
      list.move(by: rows)
      return true
    }
    switch command {
    case .left: moveColumn(by: -1)
    case .right: moveColumn(by: 1)
    default: return false
    }
    return true
  }

  /// Refreshes the rows of the open list, and scrolls to the selected row.
  mutating func refreshLists() {
    if case .capability(let id) = screen, desk.data.isLoaded, desk.data.capability(id) == nil {
      screens.removeLast()
    }
    var basis = ListState.Basis(
      revision: desk.revision, filter: list.filter.text, order: list.order, isReversed: list.isReversed)
    if screen.context == .help { basis.width = size.width }
    if hasHeadings { basis.width = 1 }
    basis.listings = desk.desktop.listings
    if list.basis != basis { rebuildRows(basis) }
    list.scroll(height: layout.rowCount)
  }

  private mutating func rebuildRows(_ basis: ListState.Basis) {
    findAbsent()
    let isListing = list.selected == 0 && list.basis?.listings != basis.listings
    var all = rows(of: screen)
    if let shown = list.basis, shown.isSameOrder(as: basis), keepsOrder {
      all = list.inShownOrder(all)
    } else {
      all = sorted(all)
    }
    all = withAbsentLast(all).flatMap(withMembers)
    let shown = basis.filter.isEmpty ? all : rows(all, with: basis.filter)
    list.setRows(hasHeadings ? withHeadings(shown) : shown, of: all)
    // Until all is there, the list might still change, so its first row stays selected.
    if !desk.data.isProbed || isListing { list.move(by: -list.rows.count) }
    list.basis = hasRead ? basis : nil
  }

  /// Whether the rows are grouped by program, with the name of each above its rows. A low screen has no room for that.
  var hasHeadings: Bool { screen == .waiting && !layout.isLow && [.given, .name].contains(order) }

  private func withHeadings(_ rows: [RowID]) -> [RowID] {
    var last: RowID?
    return rows.flatMap { row -> [RowID] in
      guard case .waiting(let id) = row else { return [row] }
      let heading = RowID.heading(desk.waiting[id]?.request?.subject)
      defer { last = heading }
      return heading == last ? [row] : [heading, row]
    }
  }

  /// Whether rows keep their places when their sort keys change. If so, the rows are sorted again only when the person
  /// asks for it.
  private var keepsOrder: Bool {
    switch screen {
    case .capabilities, .programs, .matrix: true
    default: false
    }
  }

  /// Returns the rows of decisions. A filter searches each of them; without a filter, many decisions of one program about
  /// values are a single row.
  private func rows(of decisions: some Sequence<DecisionRow>) -> [RowID] {
    if list.isFiltered { return decisions.map { .decision($0.id) } }
    return ValueGroup.entries(of: decisions).map { entry in
      switch entry {
      case .decision(let row): .decision(row.id)
      case .group(let group): .group(group.id)
      }
    }
  }

  /// Returns a row and, if it is an expanded group, the rows of its decisions.
  private func withMembers(_ row: RowID) -> [RowID] {
    guard case .group(let id) = row, expanded.contains(id) else { return [row] }
    return [row] + sorted(desk.data.group(id).rows.map { .decision($0.id) })
  }

  /// Returns all rows of a screen, before filtering and sorting.
  private func rows(of screen: Screen) -> [RowID] {
    switch screen {
    case .capabilities: capabilityRows
    case .capability(let id):
      rows(of: desk.data.decisions(about: id))
        + desk.data.waiting(for: id).map { .waiting($0.id) }
        + desk.marks.gone.filter { $0.id.capability == id }.map { .gone($0.id) } + desktopRows(of: screen)
    case .programs, .matrix: desk.data.knownPrograms.map { .program($0) } + desktopRows(of: screen)
    case .program(let program):
      rows(of: desk.data.decisions(for: program))
        + desk.marks.gone.filter { $0.id.subject == program }.map { .gone($0.id) } + desktopRows(of: screen)
    case .waiting: desk.waitingByProgram.map { .waiting($0.id) }
    case .operations: operationRows
    case .journal: desk.data.journal.map { .journal($0.id) }
    case .help(let context): helpRows(context)
    }
  }

  private func values(of id: DecisionRow.ID) -> [String] {
    id.atoms.map { "\($0.name)@\($0.scope.shownText())" }
  }

  /// Returns the rows that contain a text. They show paths with `~`, but a person can also type a whole path.
  private func rows(_ rows: [RowID], with filter: String) -> [RowID] {
    let needles = [filter, HomeFolder.shortened(filter)].map { $0.lowercased() }
    return rows.filter { row in
      let text = searchText(of: row).lowercased()
      return needles.contains { text.contains($0) }
    }
  }

  /// Returns what waits for an answer, and then the operations. An operation that merely shows one of the waiting alerts
  /// is left out.
  private var operationRows: [RowID] {
    let alerts = Set(desk.waitingItems.map(\.summary))
    let operations = desk.data.operations.filter {
      $0.category != OperationRow.screen || !alerts.contains($0.operation)
    }
    return desk.waitingItems.map { .waiting($0.id) } + operations.map { .operation($0.id) }
  }

  private func searchText(of row: RowID) -> String {
    switch row {
    case .capability(let id):
      let facts = desk.data.capability(id)
      let programs = desk.data.decisions(about: id).map(\.subject.name).joined(separator: " ")
      return "\(id) \(facts?.title ?? "") \(programs)"
    case .absent, .heading: return ""
    case .program(let program): return "\(program.name) \(HomeFolder.shortened(program.path ?? ""))"
    case .decision(let id):
      return "\(id.subject.name) \(id.capability) \(values(of: id).joined(separator: " "))"
    case .gone(let id), .group(let id): return "\(id.subject.name) \(id.capability)"
    case .desktop(let id): return "\(id.appWords) \(id.place) \(DesktopList.mark)"
    case .waiting(let id):
      let item = desk.waiting[id]
      return (item.map(desk.summary(of:)) ?? "") + " " + (item?.request?.reason ?? "")
    case .operation(let id):
      return desk.data.operation(id).map { "\($0.category) \($0.operation) \($0.why)" } ?? ""
    case .journal(let id):
      return desk.data.journalRow(id).map { "\($0.kind) \($0.program) \($0.what) \($0.detail)" } ?? ""
    case .line(let number, part: _):
      guard case .help(let context) = screen else { return "" }
      let line = desk.surroundings.keys.helpLines(for: context)[number]
      return "\(line.keys) \(line.text)"
    }
  }
}
