import PermModel

extension State {
  /// Handles a key.
  ///
  /// - Parameter isAlone: Whether no other input came with the key.
  mutating func press(_ key: Key, isAlone: Bool = true) -> [Effect] {
    let command = desk.context.keys.command(for: key, in: context)
    if command == .interrupt { return [.quit(isInterrupt: true)] }
    if isTooSmall { return pressBlindly(key, isAlone: isAlone) }
    if desk.form != nil { return desk.press(key, command) }
    desk.prompt.note(at: desk.now.milliseconds)
    let isWarned = desk.warning != nil && !isTypingFilter
    let step = command == .undo ? HistoryStep.undo : command == .redo ? .redo : nil
    let named = isWarned ? [] : step.map { desk.named(for: $0) } ?? []
    // The report was not on the screen while the warning was there.
    if isWarned { desk.warning = nil } else { desk.report = nil }
    let wasLeaving = isLeaving
    isLeaving = false
    if isTypingFilter { return type(key) }
    guard let command else { return reportUnknown(key) }
    guard isAlone || !isDeed(command) else {
      desk.report = Report(text: "\(key) did not count, as other keys came with it. Press it by itself.")
      return []
    }
    if command == .quit { return quit(isSure: wasLeaving) }
    return step.map { desk.takeStep($0, named: named) } ?? run(command)
  }

  /// Leaves help, and carries out a command of the view behind it.
  mutating func runFromHelp(_ command: Command) -> [Effect] {
    screens.removeLast()
    refreshLists()
    switch command {
    case .quit: return quit(isSure: false)
    case .undo: return desk.takeStep(.undo, named: [])
    case .redo: return desk.takeStep(.redo, named: [])
    default: return run(command)
    }
  }

  private mutating func reportUnknown(_ key: Key) -> [Effect] {
    let help = desk.key(.help)
    if !help.isEmpty { desk.report = Report(text: "\(key) does nothing here. \(help) lists the keys.") }
    return []
  }

  /// Handles a key while the screen is too small. The only possible effect is to leave the dashboard.
  private mutating func pressBlindly(_ key: Key, isAlone: Bool) -> [Effect] {
    desk.prompt.note(at: desk.now.milliseconds)
    return key == "q" && isAlone && desk.form == nil ? [.quit(isInterrupt: false)] : []
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
    if let effects = screen.view.take(command, in: &self) { return effects }
    if let screen = Screen.opened(by: command) { show(screen) }
    switch command {
    case .help: show(.help(screen.context))
    case .back: goBack()
    case .find: isTypingFilter = true
    case .details: return toggleDetails()
    case .sort: sortByNext()
    case .reverseSort: reverseOrder()
    case .refresh:
      list.basis = nil
      return [.refresh]
    case .open: return open()
    case .hold: return hold()
    case .forget: return forget()
    case .nextMatch: return goToMatch(by: 1)
    case .previousMatch: return goToMatch(by: -1)
    case .copy: return copySelection()
    case .read: return readSelection()
    case .panic: return desk.panic()
    default: break
    }
    return []
  }

  /// Goes to the first view. There, leaves the dashboard, but only at the second press if anything waits.
  private mutating func quit(isSure: Bool) -> [Effect] {
    guard screens.count == 1 else {
      screens = [screens[0]]
      return []
    }
    guard desk.round == nil, desk.waitingCount > 0, !isSure else { return [.quit(isInterrupt: false)] }
    isLeaving = true
    let who = desk.waitingCount == 1 ? "1 request waits" : "\(desk.waitingCount) requests wait"
    return desk.say("\(who): agents fall back to their own dialogs. \(desk.key(.quit)) again quits.")
  }

  /// Goes to the next or the previous of the rows that the filter has found.
  private mutating func goToMatch(by step: Int) -> [Effect] {
    guard list.isFiltered else { return desk.say("There is no search yet: \(desk.key(.find)) starts one.") }
    list.move(by: step)
    return []
  }

  /// Copies the value of the selected row.
  private mutating func copySelection() -> [Effect] {
    switch list.selection {
    case .waiting(let id): desk.copy(desk.waiting[id]?.request?.atoms ?? [])
    case .decision(let id): desk.copy(Set(id.atoms))
    default: desk.copy([])
    }
  }

  /// Shows a view on top of the open views. A view that was already open moves to the top; the first view closes all
  /// others.
  private mutating func show(_ screen: Screen) {
    if screen == .first { screens = [screen] }
    if self.screen == screen { return }
    if context == .help { screens.removeLast() }
    screens.removeAll { $0 == screen }
    screens.append(screen)
  }

  /// Opens the list of what waits, with the first item in line selected. A round goes on to the next request instead.
  mutating func showWaiting() {
    desk.opensWaiting = false
    guard desk.round == nil else { return }
    show(.waiting)
    desk.refresh()
    refreshLists()
    if let first = desk.arrived.first { list.select(.waiting(first.id)) }
  }

  private mutating func goBack() {
    if list.detailsTop != nil {
      list.detailsTop = nil
    } else if list.isFiltered {
      list.filter = TextField()
    } else if screens.count > 1 {
      screens.removeLast()
    }
  }

  private mutating func hold() -> [Effect] {
    desk.isOnHold.toggle()
    let text =
      "On hold (\(desk.key(.hold)) ends it): no alerts come up; \(desk.key(.waiting)) lists what waits."
    desk.report = Report(text: desk.isOnHold ? text : "Hold ended: alerts come up again.")
    return [.hold(desk.isOnHold)]
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
    case .desktop(let id): return desk.remove(id)
    case .absent:
      return desk.say("They are not on this machine and were never used: there is nothing to forget.")
    default: return desk.forget([], nil)
    }
  }

  /// Whether anything is decided about the selection.
  var canForget: Bool {
    switch list.selection {
    case .decision, .group: true
    case .desktop(let id): !id.isForeign
    case .capability(let id): desk.data.count(about: id) > 0
    case .program(let program): !desk.data.decisions(for: program).isEmpty
    default: false
    }
  }

  /// Whether a command does more than show something.
  private func isDeed(_ command: Command) -> Bool {
    guard command == .open else { return command.isDeed }
    if case .desktop = list.selection { return true }
    return context == .help
  }

  /// The marked requests, or the selected request if none are marked.
  var requestsInFocus: [WaitingRow] {
    let items = desk.waitingItems.filter { $0.request != nil }
    let chosen = items.filter { marked.contains($0.id) }
    if !chosen.isEmpty { return chosen }
    guard case .waiting(let id) = list.selection else { return [] }
    return items.filter { $0.id == id }
  }
}
