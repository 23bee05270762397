import PermModel

/// Draws the open form over the rest of the screen.
struct FormView {
  let state: State
  let form: Form
  let layout: FormLayout

  private var typesetter: Typesetter { state.desk.typesetter }

  func draw(into grid: inout Grid) {
    grid.fill(layout.frame)
    drawFrame(into: &grid)
    put(layout.heading, row: layout.headingRow, into: &grid)
    put(layout.lines.dropFirst(form.scroll).prefix(layout.viewHeight), row: layout.firstRow, into: &grid)
    put(layout.fixed, row: layout.fixedRow, into: &grid)
    drawButtons(into: &grid)
    drawKeys(into: &grid)
    drawNext(into: &grid)
    drawCursor(into: &grid)
  }

  private func put(_ lines: some Sequence<TextLine>, row: Int, into grid: inout Grid) {
    grid.put(lines, at: Position(row: row, column: layout.textColumn), length: layout.lineWidth)
  }

  // MARK: - Frame

  private var frameStyle: Style {
    let isLost = state.desk.loss.map { $0 != .setAside } ?? form.isUnbacked
    return Style(isLost ? .denied : .accent)
  }

  private func drawFrame(into grid: inout Grid) {
    let (frame, style) = (layout.frame, frameStyle)
    for row in frame.rows where !layout.isLow {
      grid.put("│", at: Position(row: row, column: frame.columns.lowerBound), style: style)
      grid.put("│", at: Position(row: row, column: frame.columns.upperBound - 1), style: style)
    }
    let corners = layout.isLow ? ["─", "─", "─", "─"] : ["┌", "┐", "└", "┘"]
    drawEdge(corners[0], title, titleEnd, corners[1], row: frame.rows.lowerBound, into: &grid)
    let words = layout.isLow ? "" : scrollWords
    drawEdge(corners[2], words, "", corners[3], row: frame.rows.upperBound - 1, into: &grid)
  }

  private func drawEdge(
    _ left: String, _ text: String, _ end: String, _ right: String, row: Int, into grid: inout Grid
  ) {
    let frame = layout.frame
    let title = text.isEmpty ? "" : "─ \(typesetter.cut(text, to: frame.size.width - 6)) "
    let room = frame.size.width - 2 - typesetter.width(of: title)
    let tail = end.isEmpty ? "" : " \(typesetter.cut(end, to: max(0, room - 8))) ──────"
    let fill = max(0, room - typesetter.width(of: tail))
    let line = left + title + String(repeating: "─", count: fill) + tail + right
    grid.put(line, at: Position(row: row, column: frame.columns.lowerBound), style: frameStyle)
    guard isUrgent, !end.isEmpty else { return }
    let words = typesetter.cut(end, to: max(0, room - 8))
    let column = frame.columns.upperBound - 8 - typesetter.width(of: words)
    grid.put(words, at: Position(row: row, column: column), style: Style(.attention, bold: true))
  }

  private var title: String {
    if let loss = state.desk.loss { return loss.title }
    if form.isUnbacked {
      let gone = form.alert.flatMap(state.desk.place)?.name ?? "Its broker"
      return "\(gone) has gone: an answer has no effect"
    }
    if form.page == .keys { return "Keys" }
    if form.change != nil { return "Change a decision" }
    if case .question = form.content { return "Question" }
    if form.notice != nil { return "Notice" }
    let kind = form.request != nil ? "Request" : "Question"
    let count = form.isPicked ? 1 : form.lineLength ?? 1
    return count > 1 ? "\(kind) 1 of \(count)" : kind
  }

  /// The words at the right end of the title, which count down while the request gives up soon.
  private var titleEnd: String {
    guard form.page == .facts, !form.isWithdrawn, let request = form.request?.request else { return "" }
    let isNarrow = layout.lineWidth < LayoutWidth.usualForm
    let end = state.desk.countsWait ? request.givesUpAt : nil
    guard let left = end.flatMap({ Countdown(end: $0).words(at: state.desk.now.wall) }) else {
      return isNarrow ? "" : request.times(state.desk.exact)
    }
    if layout.frame.size.width < LayoutWidth.narrow { return "gives up \(left)" }
    return isNarrow
      ? "gives up in \(left)" : "asked \(state.desk.exact(request.askedAt)), gives up in \(left)"
  }

  /// Whether the request is about to give up.
  private var isUrgent: Bool {
    guard state.desk.countsWait, let request = form.request?.request, let end = request.givesUpAt else {
      return false
    }
    return Countdown(end: end).isUrgent(since: request.askedAt, at: state.desk.now.wall)
  }

  private var scrollWords: String {
    guard layout.isScrollable else { return "" }
    let last = min(layout.lines.count, form.scroll + layout.viewHeight)
    let unread = form.hasMoreToRead ? form.seen.unread : nil
    if layout.isLow {
      let key = state.desk.key(.first)
      let rest = last < layout.lines.count ? " ▼" : unread == nil ? "" : isAbove(unread) ? " \(key)" : " …"
      return "\(last)/\(layout.lines.count)\(rest)"
    }
    let lines = "lines \(form.scroll + 1)-\(last) of \(layout.lines.count)"
    guard form.hasMoreToRead else { return lines }
    let verb = form.question == nil ? "allow" : "answer"
    guard let unread, isAbove(unread) else { return "\(lines) · read all to \(verb)" }
    return "\(lines) · read \(unread.lineWords.lowercased()) to \(verb)"
  }

  /// Whether unread lines begin above those on the screen.
  private func isAbove(_ unread: Range<Int>?) -> Bool { unread.map { $0.lowerBound < form.scroll } ?? false }

  // MARK: - Buttons and keys

  private func drawButtons(into grid: inout Grid) {
    guard form.page == .facts else { return }
    for (place, button) in form.buttons.enumerated() {
      let isFocused = place == form.focus
      let isPressed = button == pressedButton
      let isLive = isPressed || (isArmed && (button != .allow || form.hasShownAll))
      let edges = isPressed ? (">", "<") : isFocused ? ("[", "]") : (" ", " ")
      let words = "\(edges.0) \(label(button)) \(edges.1)"
      let style = Style(
        role(button), bold: isFocused || isPressed, dim: !isLive, reverse: isLive && (isFocused || isPressed))
      grid.put(words, at: Position(row: layout.buttonRow, column: column(place)), style: style)
    }
  }

  /// Whether a key that is pressed now could answer the form. While another key press is pending, a second one only
  /// makes both ineffective.
  private var isArmed: Bool {
    state.desk.prompt.isArmed && state.desk.prompt.pressed == nil && form.entry == nil && !form.isUnbacked
  }

  private var pressedButton: Command? {
    switch state.desk.pressedCommand {
    case .press: form.focused
    case .denyAndMute, .denyRest: .deny
    case .keepSuggested: .allow
    case let command: command
    }
  }

  private func column(_ place: Int) -> Int {
    if layout.frame.size.width < LayoutWidth.narrow {
      let before = form.buttons.prefix(place).reduce(0) { $0 + typesetter.width(of: label($1)) + 4 }
      return layout.textColumn + before
    }
    return layout.frame.columns.lowerBound + 12 + place
      * (layout.frame.size.width < LayoutWidth.usualForm ? 15 : 17)
  }

  private func label(_ button: Command) -> String {
    switch button {
    case .deny: "Deny"
    case .allow: "Allow"
    case .setAside: "Set aside"
    case .refuse: typesetter.visible(form.confirmation?.cancel ?? "Cancel")
    case .confirm: typesetter.visible(form.confirmation?.action ?? "OK")
    case .close where form.isPicked && !form.isWithdrawn: state.desk.round == nil ? "Back" : "Later"
    default: form.change == nil ? typesetter.visible(form.notice?.button ?? "Close") : "Cancel"
    }
  }

  private func role(_ button: Command) -> Style.Role {
    switch button {
    case .deny: .denied
    case .allow: .allowed
    case .confirm: form.confirmation?.isDestructive == true ? .denied : .allowed
    default: .normal
    }
  }

  private func drawKeys(into grid: inout Grid) {
    if layout.isLow { return drawKeysOnEdge(into: &grid) }
    let place = Position(row: layout.keyRow, column: layout.textColumn)
    grid.put(keys(width: layout.lineWidth), at: place, length: layout.lineWidth)
  }

  /// Draws the keys on the lower edge, with the number of the last line that is on the screen.
  private func drawKeysOnEdge(into grid: inout Grid) {
    let isBar = form.entry == nil && hint == nil
    let end = isBar && !scrollWords.isEmpty ? " \(scrollWords) " : ""
    let room = layout.lineWidth - typesetter.width(of: end)
    let line = keys(width: room - 2)
    let start = Position(row: layout.keyRow, column: layout.textColumn)
    let length = min(room, typesetter.width(of: line.text) + 2)
    grid.fill(Rect(row: start.row, column: start.column, width: length, height: 1))
    grid.put(line, at: Position(row: start.row, column: start.column + 1), length: length - 1)
    grid.put(end, at: Position(row: start.row, column: start.column + room), style: frameStyle)
  }

  /// Returns the keys that are useful now, or the reason why the last ones had no effect.
  private func keys(width: Int) -> TextLine {
    if let hint { return TextLine(typesetter.cut(hint, to: width), Style(.attention)) }
    return form.entry == nil ? KeyBar(state: state, width: width).line : entryKeys
  }

  private var hint: String? { form.hint ?? state.desk.promptHint }

  private var entryKeys: TextLine {
    let words = form.entry == .note ? " keeps the note   " : " goes on   "
    return TextLine("Enter", Style(.accent)).adding(words).adding("Esc", Style(.accent)).adding(
      " leaves the line")
  }

  /// Draws a row below the frame that names the next items in line.
  private func drawNext(into grid: inout Grid) {
    let row = layout.frame.rows.upperBound
    guard row < state.size.height else { return }
    grid.fill(Rect(row: row, column: 0, width: state.size.width, height: 1))
    // At most 20 names are taken, because a thousand items might be waiting and further names would not fit.
    let line = state.desk.waiting.line
    let names = line.lazy.filter { state.desk.place(of: $0) == .inLine }.prefix(20)
      .map { typesetter.visible($0.summary) }
    let others = line.count - (form.alertID.flatMap { state.desk.waiting[$0] } == nil ? 0 : 1)
    guard others > 0, !names.isEmpty else { return }
    let start = " Next (\(state.desk.key(.lookAhead))): "
    let room = state.size.width - typesetter.width(of: start) - 1
    let text = start + typesetter.list(Array(names), of: others, to: room)
    grid.put(text, at: Position(row: row, column: 0), style: Style(.muted))
  }

  /// Puts the hardware cursor on the element that has the focus, so that screen readers find that element.
  private func drawCursor(into grid: inout Grid) {
    if let row = layout.fixed.firstIndex(where: \.isEntry) {
      let end = min(layout.lineWidth, typesetter.width(of: layout.fixed[row].text))
      let place = Position(row: layout.fixedRow + row, column: layout.textColumn + end)
      grid.cursor = Grid.Cursor(position: place, isVisible: true)
    } else if form.page == .facts {
      grid.cursor = Grid.Cursor(position: Position(row: layout.buttonRow, column: column(form.focus) + 2))
    } else {
      grid.cursor = Grid.Cursor(position: Position(row: layout.firstRow, column: layout.textColumn))
    }
  }
}
