import PermModel

// Opening the selected row of a list.

extension State {
  /// The effect of opening the selected row, in a word or two; `nil` if there is nothing to open.
  var openLabel: String? {
    guard let row = list.selection else { return nil }
    return screen.view.openLabel(of: row, in: self) ?? usualOpenLabel(of: row)
  }

  private func usualOpenLabel(of row: RowID) -> String? {
    switch row {
    case .decision(let id): isChangeable(id) ? "change" : nil
    case .group: list.unfolded.contains(row) ? "hide" : "list"
    case .absent: list.unfolded.contains(row) ? "hide" : "show"
    case .waiting: "answer"
    case .journal(let id): desk.data.journalRow(id)?.subject == nil ? nil : "program"
    case .desktop(let id): desk.desktop[id].flatMap(id.next) == nil ? nil : "change"
    case .capability, .program: "open"
    default: nil
    }
  }

  private func isChangeable(_ id: DecisionRow.ID) -> Bool {
    desk.data.decision(id) != nil && desk.data.capability(id.capability) != nil
  }

  /// Opens the selected row.
  mutating func open() -> [Effect] {
    guard openLabel != nil, let row = list.selection else {
      return desk.say("There is nothing to open here.")
    }
    switch row {
    case .capability(let id): screens.append(.capability(id))
    case .program(let program): screens.append(.program(program))
    case .decision(let id): openChange(of: id)
    case .absent, .group: list.toggle(row)
    case .waiting(let id): return openWaiting(id)
    case .desktop(let id): return desk.change(id)
    case .journal(let id):
      if let program = desk.data.journalRow(id)?.subject { screens.append(.program(program)) }
    default: break
    }
    return []
  }

  private mutating func openWaiting(_ id: Alert.ID) -> [Effect] {
    guard let item = desk.waiting[id] else { return [] }
    // The alert that came up here might also answer requests that have joined it.
    if desk.arrived.contains(where: { $0.id == id }) {
      desk.wanted.insert(id)
      return []
    }
    if desk.canPick(item) { return [.pick([id], nil)] }
    return desk.place(of: item) == .setAside ? reopen(id) : []
  }

  /// Presents a set-aside alert again. It comes up after the alerts that are already in line.
  private mutating func reopen(_ id: Alert.ID) -> [Effect] {
    desk.wanted.insert(id)
    if let first = desk.arrived.first {
      desk.report = Report(text: "It comes up after \(desk.visible(first.summary)).")
    }
    return [.reopen(id)]
  }

  mutating func openChange(of id: DecisionRow.ID) {
    guard let row = desk.data.decision(id), let capability = desk.data.capability(id.capability) else {
      return
    }
    let change = DecisionDraft(
      subject: row.subject, capability: capability, current: row, protected: desk.data.protected(),
      writer: desk.data.writer(in: row.subject.folder))
    desk.open(Form(.change(change)))
  }
}
