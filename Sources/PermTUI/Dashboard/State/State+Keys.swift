import PermModel

extension State {
  mutating func press(_ key: Key) -> [Effect] {
    let command = desk.surroundings.keys.command(for: key, in: context)
    if command == .interrupt { return [.quit(isInterrupt: true)] }
    if isTooSmall { return pressBlindly(key) }
    if desk.form != nil { return desk.press(key, command) }
    desk.prompt.note(at: desk.now.milliseconds)
    desk.report = nil
    if isTypingFilter { return type(key) }
    guard let command else {
      let help = desk.key(.help)
      if !help.isEmpty { desk.report = Report(text: "\(key) does nothing here. \(help) lists the keys.") }
      return []
    }
    return run(command)
  }

  /// Handles a key while the screen is too small. The only possible effect is to leave the dashboard.
  private mutating func pressBlindly(_ key: Key) -> [Effect] {
    desk.prompt.note(at: desk.now.milliseconds)
    return key == "q" && desk.form == nil ? [.quit(isInterrupt: false)] : []
  }

  private mutating func type(_ key: Key) -> [Effect] {
    switch key {
    case .escape:
      isTypingFilter = false
      list.filter = TextField()
    case .enter: isTypingFilter = false
    case .up: list.move(by: -1)
    case .down: list.move(by: 1)
    default: _ = list.filter.press(key)
    }
    return []
  }

  private mutating func run(_ command: Command) -> [Effect] {
    if moveSelection(command) { return [] }
    switch command {
    case .capabilities: screens = [.capabilities]
    case .programs: show(.programs)
    case .matrix: show(.matrix)
    case .waiting: show(.waiting)
    case .operations: show(.operations)
    case .journal: show(.journal)
    case .help: show(.help(screen.context))
    case .back: goBack()
    case .quit:
      if screens.count == 1 { return [.quit(isInterrupt: false)] }
      screens.removeLast()
    case .find: isTypingFilter = true
    case .sort: sortByNext()
    case .reverseSort: reverseOrder()
    case .refresh:
      list.basis = nil
      return [.refresh]
    case .open: return open()
    case .mark: toggleMark()
    case .allow: return desk.answerTogether(requestsInFocus, .allow)
    case .deny: return desk.answerTogether(requestsInFocus, .deny)
    case .undo: return [.undo]
    case .forget: return forget()
    case .panic: return desk.panic()
    case .askNow: return openCapability.map { desk.askNow($0) } ?? []
    case .runExample: return openCapability.map { desk.runExample($0) } ?? []
    default: break
    }
    return []
  }

  /// Shows a view on top of the open views. A view that was already open moves to the top.
  private mutating func show(_ screen: Screen) {
    if self.screen == screen { return }
    if case .help = self.screen { screens.removeLast() }
    screens.removeAll { $0 == screen }
    screens.append(screen)
  }

  private mutating func goBack() {
    if list.isFiltered {
      list.filter = TextField()
    } else if screens.count > 1 {
      screens.removeLast()
    }
  }

  private mutating func open() -> [Effect] {
    switch (screen, list.selection) {
    case (.matrix, .program(let program)):
      screens.append(matrixCapability.map { .capability($0.id) } ?? .program(program))
    case (_, .capability(let id)): screens.append(.capability(id))
    case (_, .program(let program)): screens.append(.program(program))
    case (_, .decision(let id)): openChange(of: id)
    case (_, .absent):
      showsAbsent.toggle()
      list.basis = nil
    case (_, .group(let id)):
      if expanded.remove(id) == nil { expanded.insert(id) }
      list.basis = nil
    case (_, .waiting(let id)): return openWaiting(id)
    case (_, .journal(let id)):
      if let program = desk.data.journalRow(id)?.subject { screens.append(.program(program)) }
    default: break
    }
    return []
  }

  private mutating func openWaiting(_ id: Alert.ID) -> [Effect] {
    guard let item = desk.waiting[id] else { return [] }
    switch desk.place(of: item) {
    case .setAside: return reopen(desk.waiting.alert(for: item))
    case .inLine where desk.arrived.contains { $0.id == id }: desk.wanted.insert(id)
    case .elsewhere: desk.report = Report(text: "It is at another dashboard. a or d answers it from here.")
    case .onTerminal:
      desk.report = Report(text: "Its program asks on its own terminal. a or d answers it from here.")
    case .inLine, .onScreen: desk.report = Report(text: "It comes up after what is before it in line.")
    }
    return []
  }

  /// Presents a set-aside alert again. It comes up after the alerts that are already in line.
  private mutating func reopen(_ id: Alert.ID) -> [Effect] {
    desk.wanted.insert(id)
    if let first = desk.arrived.first {
      desk.report = Report(text: "It comes up after \(desk.visible(first.summary)).")
    }
    return [.reopen(id)]
  }

  private mutating func openChange(of id: DecisionRow.ID) {
    guard let row = desk.data.decision(id), let capability = desk.data.capability(id.capability) else {
      return
    }
    let change = DecisionDraft(subject: row.subject, capability: capability, current: row)
    desk.open(Form(.change(change)))
  }
}

// MARK: - The targets of commands

extension State {
  private mutating func forget() -> [Effect] {
    let data = desk.data
    switch list.selection {
    case .decision(let id): return desk.forget(data.decision(id).map { [$0] } ?? [], nil)
    case .group(let id): return desk.forget(data.group(id))
    case .capability(let id):
      return desk.forget(Array(data.decisions(about: id)), .capability(id), of: data.count(about: id))
    case .program(let program): return desk.forget(data.decisions(for: program), .program(program))
    default: return desk.forget([], nil)
    }
  }

  private var openCapability: CapabilityRow? {
    if case .capability(let id) = screen { desk.data.capability(id) } else { nil }
  }

  /// Marks or unmarks the selected request, and selects the next row.
  private mutating func toggleMark() {
    guard case .waiting(let id) = list.selection else { return }
    guard desk.waiting[id]?.request != nil else {
      desk.report = Report(text: "It is not a request, and is answered by itself.")
      return
    }
    if marked.remove(id) == nil { marked.insert(id) }
    list.move(by: 1)
  }

  /// The marked requests, or the selected request if none are marked.
  private var requestsInFocus: [WaitingItem] {
    let items = desk.waitingItems.filter { $0.request != nil }
    let chosen = items.filter { marked.contains($0.id) }
    if !chosen.isEmpty { return chosen }
    guard case .waiting(let id) = list.selection else { return [] }
    return items.filter { $0.id == id }
  }
}
