/// The line that lists the keys that are useful now, with labels from the key table.
struct KeyBar {
  private struct Item {
    let key: String
    let label: String
    /// Whether the place of the key stays empty, so that no other key moves while the selection does.
    var isBlank = false
  }

  let state: State
  let width: Int

  private var gap: Int { width < LayoutWidth.closeKeys ? 2 : 3 }

  /// The line with as many keys as fit. The key for help is always included.
  var line: TextLine {
    if state.isTypingFilter {
      return TextLine("Enter", Style(.accent)).adding(" done   ").adding("Esc", Style(.accent)).adding(
        " shows all")
    }
    var line = TextLine()
    for (place, item) in fitting.enumerated() {
      if place > 0 { line.add(String(repeating: " ", count: gap)) }
      if item.isBlank {
        line.add(String(repeating: " ", count: length(item)))
      } else {
        line.add(item.key, Style(.accent))
        line.add(" " + item.label)
      }
    }
    return line
  }

  private var items: [Item] {
    let bindings = state.desk.context.keys.bar(in: state.context)
    if let form = state.desk.form { return bindings.filter { !isIdle($0, in: form) }.compactMap { item($0) } }
    // A key that leads to the view that is already open is left out.
    let here = state.screen.context.rawValue
    var items: [Item] = []
    for binding in answersFirst(bindings) where binding.command.rawValue != here && !isIdleInList(binding) {
      let isBlank = binding.command == .forget && !state.canForget
      if let item = item(binding, isBlank: isBlank) { items.append(item) }
    }
    if state.list.isFiltered {
      items.insert(Item(key: Key.escape.description, label: "shows all"), at: min(1, items.count))
    }
    return items
  }

  /// The keys that fit. The last one is always included.
  private var fitting: [Item] {
    let items = items
    // The help view has no key for help, so all of its keys are treated alike.
    let always = state.context == .help ? [] : items.suffix(1)
    var used = always.first.map { length($0) } ?? -gap
    var shown: [Item] = []
    for item in items.dropLast(always.count) {
      used += length(item) + gap
      if used > width { break }
      shown.append(item)
    }
    return shown + always
  }

  private func length(_ item: Item) -> Int {
    state.desk.typesetter.width(of: item.key) + 1 + state.desk.typesetter.width(of: item.label)
  }
}

// MARK: - Keys without an effect

extension KeyBar {
  /// Returns whether the key would do nothing in the form now.
  private func isIdle(_ binding: KeyBinding, in form: Form) -> Bool {
    if form.isWithdrawn, Self.choices.contains(binding.command) { return true }
    return switch binding.command {
    case .widen: form.covers.count < 2
    case .keepSuggested: form.suggestedKeep == nil || form.hasMoreToRead
    case .denyRest: !form.isOfRun
    case .denyAndMute: form.isOfRun
    case .narrow: form.choices.count < 2
    case .lookAhead: state.desk.waitingItems.count < 2
    case .unfold: !FormText(desk: state.desk, form: form, area: state.layout.formArea).isFoldable
    default: false
    }
  }

  private static let choices: Set<Command> = [
    .allow, .keepSuggested, .keepFirst, .denyAndMute, .denyRest, .widen, .narrow, .note,
  ]

  /// Returns whether the key would do nothing in the list now.
  private func isIdleInList(_ binding: KeyBinding) -> Bool {
    switch binding.command {
    case .open: state.openLabel == nil
    case .forget: state.list.selection == nil || !hasDecisions
    case .mark, .allow, .deny: state.requestsInFocus.isEmpty || state.list.detailsTop != nil
    case .details: state.list.detailsTop == nil && !state.canScrollDetails
    default: state.screen.view.isIdle(binding.command, in: state)
    }
  }

  /// Returns the keys with those at the front that answer the marked requests. Once there are some, they matter most.
  private func answersFirst(_ bindings: [KeyBinding]) -> [KeyBinding] {
    if state.marked.isEmpty { return bindings }
    let answers = bindings.filter { [.allow, .deny].contains($0.command) }
    return answers + bindings.filter { !answers.contains($0) }
  }

  private var hasDecisions: Bool { state.desk.data.allowedCount + state.desk.data.deniedCount > 0 }
}

// MARK: - Labels

extension KeyBar {
  private func item(_ binding: KeyBinding, isBlank: Bool = false) -> Item? {
    guard let key = binding.keys.first else { return nil }
    let answers = [.allow, .confirm].contains(binding.command)
    // A key that does not count yet is not named.
    let isUnread = answers && state.desk.form?.hasMoreToRead == true
    if isUnread, let item = state.desk.form.flatMap(reading) { return item }
    if binding.command == .keepFirst, let last = state.desk.context.keys.key(for: .keepSixth) {
      return Item(key: "\(key)-\(last)", label: binding.label)
    }
    return Item(key: key.description, label: label(binding), isBlank: isBlank || isUnread)
  }

  /// Returns the key that shows the next unread lines; `nil` if none are outside of the screen.
  private func reading(_ form: Form) -> Item? {
    guard let unread = form.seen.unreadElsewhere else { return nil }
    let isAbove = unread.lowerBound < form.scroll
    let key = state.desk.context.keys.key(for: isAbove ? .first : .pageDown)
    return key.map { Item(key: $0.description, label: isAbove ? "unread" : "more") }
  }

  private func label(_ binding: KeyBinding) -> String {
    switch binding.command {
    case .setAside: setAsideLabel(binding)
    case .open: state.openLabel ?? binding.label
    case .quit where state.context == .help && state.screens.count == 2: "back"
    case .quit where state.screens.count > 1: "first view"
    case .details where state.list.detailsTop != nil: "list"
    case .panic where state.desk.data.panicSince != nil: "lift the panic"
    case .waiting where state.desk.waitingCount > 0: "\(binding.label) (\(state.desk.waitingCount))"
    case .allow where state.desk.form == nil, .deny where state.desk.form == nil: markedLabel(binding)
    case .allow, .confirm: wordLabel(binding)
    default: binding.label
    }
  }

  private func markedLabel(_ binding: KeyBinding) -> String {
    state.marked.isEmpty ? binding.label : "\(binding.label) \(state.requestsInFocus.count)"
  }

  /// Returns the label of a key that agrees. If a word must be typed then, the label names the word.
  private func wordLabel(_ binding: KeyBinding) -> String {
    guard let word = state.desk.form?.requiredWord, width >= LayoutWidth.longKeys else {
      return binding.label
    }
    let isShort = state.desk.typesetter.width(of: word) <= 12
    return "\(binding.label), type \(isShort ? state.desk.visible(word) : "a word")"
  }

  private func setAsideLabel(_ binding: KeyBinding) -> String {
    if state.desk.form?.isWithdrawn == true { return "close" }
    if state.desk.form?.alertID == nil { return "cancel" }
    guard state.desk.form?.isPicked == true else { return binding.label }
    return state.desk.round == nil ? "back" : "later"
  }
}
