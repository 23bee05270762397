import PermModel

extension State {
  /// Carries out a command that moves the selection, or scrolls the details while they have the keys. Returns false if the
  /// command is of another kind.
  mutating func moveSelection(_ command: Command) -> Bool {
    let isInDetails = list.detailsTop != nil
    let (page, count) =
      isInDetails ? (layout.detailsCount - 1, details?.lines.count ?? 0) : (layout.rowCount, list.rows.count)
    guard let rows = command.movement(page: max(1, page), of: count) else { return false }
    scroll(by: rows)
    return true
  }

  /// Moves the selection, or scrolls the details while they have the keys.
  mutating func scroll(by rows: Int) {
    guard let top = list.detailsTop else { return list.move(by: rows) }
    let last = max(0, (details?.lines.count ?? 0) - layout.detailsCount)
    list.detailsTop = min(max(0, top + rows), last)
  }

  /// Refreshes the rows of the open list, and scrolls to the selected row.
  mutating func refreshLists() {
    if !screen.view.exists(on: desk) { screens.removeLast() }
    let basis = ViewPlace.Basis(
      revision: desk.revision, filter: list.filter.text, order: list.order, isReversed: list.isReversed,
      width: screen.view.rowWidth(in: self), listings: desk.desktop.listings)
    if list.basis != basis { rebuildRows(basis) }
    list.scroll(height: layout.rowCount)
  }

  private mutating func rebuildRows(_ basis: ViewPlace.Basis) {
    absent = desk.data.absent
    let isListing = list.selected == 0 && list.basis?.listings != basis.listings
    let view = screen.view
    var all = view.rows(in: self)
    if let shown = list.basis, shown.isSameOrder(as: basis), view.keepsOrder {
      all = list.inShownOrder(all)
    } else {
      all = sorted(all)
    }
    all = view.unfolded(all, in: self)
    let shown = basis.filter.isEmpty ? all : rows(all, with: basis.filter)
    list.setRows(view.grouped(shown, in: self), of: all)
    // Until all is there, the list might still change, so its first row stays selected.
    if !desk.data.isProbed || isListing { list.move(by: -list.rows.count) }
    list.basis = hasRead ? basis : nil
  }

  private func values(of id: DecisionRow.ID) -> [String] {
    id.atoms.map { "\($0.name)@\($0.scope.shownText())" }
  }

  /// Returns the rows that contain a text.
  private func rows(_ rows: [RowID], with filter: String) -> [RowID] {
    let (words, view) = (SearchWords(filter), screen.view)
    return rows.filter { words.isIn(view.searchText(of: $0, in: self) ?? searchText(of: $0)) }
  }

  private func searchText(of row: RowID) -> String {
    switch row {
    case .capability(let id):
      let facts = desk.data.capability(id)
      let programs = desk.data.decisions(about: id).map(\.subject.name).joined(separator: " ")
      return "\(id) \(facts?.title ?? "") \(programs)"
    case .absent, .heading, .unlisted, .line: return ""
    case .program(let program): return "\(program.name) \(HomeFolder.shortened(program.path ?? ""))"
    case .decision(let id):
      return "\(id.subject.name) \(id.capability) \(values(of: id).joined(separator: " "))"
    case .gone(let id), .group(let id): return "\(id.subject.name) \(id.capability)"
    case .desktop(let id): return "\(id.appWords) \(id.place) \(DesktopEntries.mark)"
    case .waiting(let id):
      let item = desk.waiting[id]
      let texts = [desk.machineName(of: id), item.map(desk.summary(of:)), item?.request?.reason]
      return texts.compactMap(\.self).joined(separator: " ")
    case .command(let program, let line): return "\(program.name) \(line)"
    case .operation(let id):
      return desk.data.operation(id).map { "\($0.category) \($0.operation) \($0.why)" } ?? ""
    case .journal(let id):
      return desk.data.journalRow(id)?.searchText ?? ""
    }
  }
}

// MARK: - Details

extension State {
  /// The details on the screen; `nil` if there are none.
  private var details: Pane? {
    layout.pane.map { screen.view.pane(in: self, width: $0.size.width - ScreenLayout.paneMargins) }
  }

  /// Whether some lines of the details are not on the screen.
  var canScrollDetails: Bool {
    guard let details, details.table == nil else { return false }
    return details.lines.count > layout.detailsCount
  }

  /// Gives the keys to the details, or back to the list.
  mutating func toggleDetails() -> [Effect] {
    if list.detailsTop != nil {
      list.detailsTop = nil
    } else if canScrollDetails {
      list.detailsTop = 0
    } else if details?.table != nil {
      return desk.say("\(desk.key(.open)) opens the list, and the keys move there.")
    } else {
      return desk.say(layout.pane == nil ? "There are no details here." : "All details are on the screen.")
    }
    return []
  }
}
