/// The line that lists the keys that are useful now, with labels from the key table.
struct KeyBar {
  private typealias Item = (key: String, label: String)

  let state: State
  let width: Int

  private var gap: Int { width < LayoutWidth.closeKeys ? 2 : 3 }
  private var desk: Desk { state.desk }
  private var keys: KeyTable { desk.surroundings.keys }

  /// The line with as many keys as fit. The key for help is always included.
  var line: TextLine {
    if state.isTypingFilter {
      return TextLine("Enter", Style(.accent)).adding(" done   ").adding("Esc", Style(.accent)).adding(
        " shows all")
    }
    var line = TextLine()
    for (place, item) in fitting.enumerated() {
      let gap = place > 0 ? String(repeating: " ", count: gap) : ""
      line = line.adding(gap).adding(item.key, Style(.accent)).adding(" " + item.label)
    }
    return line
  }

  private var items: [Item] {
    var items = keys.bar(in: state.context).filter { !isHere($0) && !isIdle($0) }.compactMap(item)
    if desk.form == nil, state.list.isFiltered {
      items.insert((Key.escape.description, "shows all"), at: min(1, items.count))
    }
    return items
  }

  /// The keys that fit. The last one is always included.
  private var fitting: [Item] {
    let items = items
    // The help view has no key for help, so all of its keys are treated alike.
    let always = state.context == .help ? [] : items.suffix(1)
    var used = always.first.map(length) ?? -gap
    var shown: [Item] = []
    for item in items.dropLast(always.count) {
      if used + length(item) + gap > width { break }
      used += length(item) + gap
      shown.append(item)
    }
    return shown + always
  }

  private func length(_ item: Item) -> Int {
    desk.typesetter.width(of: item.key) + 1 + desk.typesetter.width(of: item.label)
  }
}

// MARK: - Keys without an effect

extension KeyBar {
  /// Returns whether the key leads to the view that is already open.
  private func isHere(_ binding: KeyBinding) -> Bool {
    desk.form == nil && binding.command.rawValue == state.screen.context.rawValue
  }

  /// Returns whether the key would do nothing now.
  private func isIdle(_ binding: KeyBinding) -> Bool {
    guard let form = desk.form else { return isIdleInList(binding) }
    if form.isWithdrawn, Self.choices.contains(binding.command) { return true }
    return switch binding.command {
    case .widen: form.covers.count < 2
    case .narrow: form.choices.count < 2
    case .lookAhead: desk.waitingItems.count < 2
    default: false
    }
  }

  private static let choices: Set<Command> = [.allow, .keepFirst, .denyAndMute, .widen, .narrow, .note]

  private func isIdleInList(_ binding: KeyBinding) -> Bool {
    switch binding.command {
    case .open: state.openLabel == nil
    case .forget: state.list.selection == nil
    case .mark, .allow, .deny: state.requestsInFocus.isEmpty
    case .runExample: !hasExample
    default: false
    }
  }

  private var hasExample: Bool {
    guard case .capability(let id) = state.screen else { return true }
    return desk.data.capability(id)?.example != nil
  }
}

// MARK: - Labels

extension KeyBar {
  private func item(_ binding: KeyBinding) -> Item? {
    guard let key = binding.keys.first else { return nil }
    let answers = [.allow, .confirm].contains(binding.command)
    if answers, desk.form?.hasMoreToRead == true, let more = keys.key(for: .pageDown) {
      return (more.description, "more")
    }
    if binding.command == .keepFirst, let last = keys.key(for: .keepSixth) {
      return ("\(key)-\(last)", binding.label)
    }
    return (key.description, label(binding))
  }

  private func label(_ binding: KeyBinding) -> String {
    switch binding.command {
    case .setAside: setAsideLabel(binding)
    case .open: state.openLabel ?? binding.label
    case .quit where state.screens.count > 1: "back"
    case .panic where desk.data.panicSince != nil: "lift the panic"
    case .waiting where desk.waitingCount > 0: "\(binding.label) (\(desk.waitingCount))"
    case .allow, .confirm:
      desk.form?.requiredWord != nil && width >= LayoutWidth.longKeys ? "types the word" : binding.label
    default: binding.label
    }
  }

  private func setAsideLabel(_ binding: KeyBinding) -> String {
    if desk.form?.isWithdrawn == true { return "close" }
    if desk.form?.alertID == nil { return "cancel" }
    guard desk.form?.isPicked == true else { return binding.label }
    return desk.walk == nil ? "back" : "later"
  }
}
