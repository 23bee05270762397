import PermModel

/// The rows above every view: the banners, which are never hidden, and the row with the counts.
struct Header {
  let state: State

  func draw(into grid: inout Grid) {
    for (row, banner) in banners.enumerated() {
      let text = state.desk.typesetter.pad(" " + banner.text, to: state.size.width)
      grid.put(text, at: Position(row: row, column: 0), style: Style(banner.role, bold: true, reverse: true))
    }
    drawCounts(into: &grid)
  }

  private var banners: [(text: String, role: Style.Role)] {
    var banners: [(text: String, role: Style.Role)] = []
    if let since = state.desk.data.panicSince {
      let time = state.desk.short(since)
      let key = state.desk.key(.panic)
      let text = "PANIC since \(time): everything new is denied, every allow is suspended. \(key) lifts it"
      let short = "PANIC since \(time)\(isNarrow ? "" : ": nothing is allowed"). \(key) lifts it"
      banners.append((state.size.width < LayoutWidth.panicBanner ? short : text, .denied))
    }
    if let trouble = state.desk.machineTrouble { banners.append((trouble, .denied)) }
    if state.desk.context.isDemo {
      banners.append((demoBanner, .attention))
    }
    return banners
  }

  /// The words about the demo, which also say why its story does not go on.
  private var demoBanner: String {
    let isNarrow = state.size.width < LayoutWidth.demoBanner
    let waiting = state.desk.waiting
    let isHeldUp =
      !waiting.items.isEmpty && waiting.line.isEmpty && waiting.items.allSatisfy { $0.request != nil }
    guard isHeldUp, state.desk.form == nil else {
      return isNarrow
        ? "DEMO: a throw-away store, not your own."
        : "DEMO: a throw-away store. Your own decisions are not touched."
    }
    let key = state.desk.key(.waiting)
    return isNarrow
      ? "DEMO: it waits for what you set aside: \(key)"
      : "DEMO: the story waits for what you set aside. \(key) lists it."
  }

  private func drawCounts(into grid: inout Grid) {
    let data = state.desk.data
    let gap = isNarrow ? "  " : "   "
    var line = title.adding(isNarrow ? gap : "     ").adding(
      "\(state.desk.waitingWords)\(state.desk.isOnHold ? ", on hold" : "")",
      !state.desk.waitingItems.isEmpty || state.desk.isOnHold ? Style(.attention, bold: true) : Style(.muted))
    let room = state.size.width - 1
    let allowed = Style(data.allowedCount > 0 && data.panicSince == nil ? .allowed : .muted)
    let denied = Style(data.deniedCount > 0 ? .denied : .muted)
    for (words, style) in [(data.allowedWords, allowed), ("\(data.deniedCount) denied", denied)] {
      let longer = line.adding(gap).adding(words, style)
      if state.desk.typesetter.width(of: longer) <= room - essentialWidth { line = longer }
    }
    let used = state.desk.typesetter.width(of: line)
    line.trailing = notes.first { used + state.desk.typesetter.width(of: $0.text) < room }
    grid.put(line, at: Position(row: state.layout.headerRow, column: 0), length: room)
  }
}

extension Header {
  /// The texts for the right end of the row, the most important first. The first one that fits is drawn.
  private var notes: [TextLine.Span] {
    let mistakes = state.desk.context.preferences.mistakes
    let connection = TextLine.Span(state.desk.data.connection, .muted)
    guard mistakes > 0 else { return lateness + blocked + [connection] }
    let count = mistakes == 1 ? "1 mistake" : "\(mistakes) mistakes"
    return [TextLine.Span("\(count): permtui doctor", .denied), TextLine.Span(count, .denied)]
  }

  /// The texts that say which program has stood still for longest, and since when.
  private var blocked: [TextLine.Span] {
    let requests = state.desk.waiting.line.lazy.filter { $0.request != nil }
    guard let first = requests.min(by: { $0.askedAt < $1.askedAt }), let program = first.request?.subject
    else { return [] }
    let end = "since \(state.desk.short(first.askedAt))"
    let name = state.desk.typesetter.cut(state.desk.name(of: program), to: 30)
    let long = "\(name) blocked \(end)"
    let all = [state.desk.data.connection, long].filter { !$0.isEmpty }.joined(separator: "; ")
    // The label alone says who it is where the folder does not fit, too.
    let label = state.desk.typesetter.cut(state.desk.visible(program.label), to: 16)
    return [all, long, "\(label) blocked \(end)", "blocked \(end)"].map { TextLine.Span($0, .attention) }
  }

  /// The texts that say that changes are noticed late.
  private var lateness: [TextLine.Span] {
    guard state.desk.data.isLate else { return [] }
    return ["looks once a second: permtui doctor", "once a second"].map { TextLine.Span($0, .attention) }
  }

  /// The number of cells that are kept for the shortest note about mistakes, which matters more than the counts of
  /// decisions; 0 if there are no mistakes.
  private var essentialWidth: Int {
    let hasMistakes = state.desk.context.preferences.mistakes > 0
    return hasMistakes ? notes.last.map { state.desk.typesetter.width(of: $0.text) + 1 } ?? 0 : 0
  }

  private var isNarrow: Bool { state.size.width < LayoutWidth.narrow }

  /// The program's name and the view's. On a narrow screen, the view's name alone.
  private var title: TextLine {
    let program = TextLine(" PermTUI", Style(.accent, bold: true))
    guard let title = state.screenTitle else { return program }
    return isNarrow
      ? TextLine(" \(title)", Style(.accent, bold: true))
      : program.adding(" › ").adding(title, Style(bold: true))
  }
}

extension State {
  /// The name of the open view, as the header shows it; `nil` for the first view.
  var screenTitle: String? {
    screen.view.title(on: desk).map { desk.typesetter.cut(desk.visible($0), to: max(10, size.width - 50)) }
  }
}
