/// The line that lists the keys that are useful now, with labels from the key table.
struct KeyBar {
  let state: State
  let width: Int

  private var gap: Int { width < 36 ? 2 : 3 }

  /// The line with as many keys as fit. The key for help is always included.
  var line: TextLine {
    if state.isTypingFilter {
      return TextLine("Enter", Style(.accent)).adding(" done   ").adding("Esc", Style(.accent)).adding(
        " shows all")
    }
    var items = state.desk.surroundings.keys.bar(in: state.context).filter { !isHere($0) && !isIdle($0) }
      .compactMap(item)
    if state.desk.form == nil, state.list.isFiltered {
      items.insert((Key.escape.description, "shows all"), at: min(1, items.count))
    }
    // The help view has no key for help, so all of its keys are treated alike.
    let always = state.context == .help ? [] : items.suffix(1)
    var used = always.first.map(length) ?? -gap
    var shown: [(key: String, label: String)] = []
    for item in items.dropLast(always.count) {
      if used + length(item) + gap > width { break }
      used += length(item) + gap
      shown.append(item)
    }
    var line = TextLine()
    for (place, item) in (shown + always).enumerated() {
      let gap = place > 0 ? String(repeating: " ", count: gap) : ""
      line = line.adding(gap).adding(item.key, Style(.accent)).adding(" " + item.label)
    }
    return line
  }

  /// Returns whether the key leads to the view that is already open.
  private func isHere(_ binding: KeyBinding) -> Bool {
    state.desk.form == nil && binding.command.rawValue == state.screen.context.rawValue
  }

  /// Returns whether the key would do nothing now.
  private func isIdle(_ binding: KeyBinding) -> Bool {
    let choices: Set<Command> = [.allow, .keepFirst, .denyAndMute, .widen, .narrow, .note]
    if state.desk.form?.isWithdrawn == true, choices.contains(binding.command) { return true }
    return switch binding.command {
    case .widen: state.desk.form.map { $0.covers.count < 2 } ?? false
    case .narrow: state.desk.form.map { $0.choices.count < 2 } ?? false
    case .lookAhead: state.desk.waitingCount < 2
    case .runExample: !hasExample
    default: false
    }
  }

  private var hasExample: Bool {
    guard case .capability(let id) = state.screen else { return true }
    return state.desk.data.capability(id)?.example != nil
  }

  private func length(_ item: (key: String, label: String)) -> Int {
    state.desk.typesetter.width(of: item.key) + 1 + state.desk.typesetter.width(of: item.label)
  }

  private func item(_ binding: KeyBinding) -> (key: String, label: String)? {
    guard let key = binding.keys.first else { return nil }
    if binding.command == .setAside, state.desk.form?.isWithdrawn == true {
      return (key.description, "close")
    }
    if binding.command == .setAside, state.desk.form?.alertID == nil { return (key.description, "cancel") }
    if binding.command == .setAside, state.desk.form?.isPicked == true {
      return (key.description, state.desk.walk == nil ? "back" : "later")
    }
    if binding.command == .keepFirst, let last = state.desk.surroundings.keys.key(for: .keepSixth) {
      return ("\(key)-\(last)", binding.label)
    }
    if binding.command == .quit, state.screens.count > 1 { return (key.description, "back") }
    if binding.command == .panic, state.desk.data.panicSince != nil {
      return (key.description, "lift the panic")
    }
    if binding.command == .waiting, state.desk.waitingCount > 0 {
      return (key.description, "\(binding.label) (\(state.desk.waitingCount))")
    }
    if [.allow, .confirm].contains(binding.command), let form = state.desk.form, form.hasMoreToRead,
      let more = state.desk.surroundings.keys.key(for: .pageDown)
    {
      return (more.description, "more")
    }
    if [.allow, .confirm].contains(binding.command), state.desk.form?.requiredWord != nil, width >= 40 {
      return (key.description, "types the word")
    }
    return (key.description, binding.label)
  }
}
