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
    var banners: [(String, Style.Role)] = []
    if let since = state.desk.data.panicSince {
      let time = state.desk.short(since)
      let key = state.desk.key(.panic)
      let text = "PANIC since \(time): all that is new is denied, all allows rest. \(key) lifts it"
      banners.append(
        (state.size.width < 75 ? "PANIC since \(time): nothing is allowed. \(key) lifts it" : text, .denied))
    }
    if state.desk.surroundings.isDemo {
      banners.append(("DEMO: a throw-away store. Your own decisions are not touched.", .attention))
    }
    return banners
  }

  private func drawCounts(into grid: inout Grid) {
    var line = TextLine(" PermTUI", Style(.accent, bold: true))
    if let title = state.screenTitle { line = line.adding(" › ").adding(title, Style(bold: true)) }
    let data = state.desk.data
    let waiting = state.desk.waitingCount
    line = line.adding("     ").adding(
      "\(waiting) waiting", waiting > 0 ? Style(.attention, bold: true) : Style(.muted))
    line = line.adding("   ").adding(
      data.allowedWords, Style(data.allowedCount > 0 && data.panicSince == nil ? .allowed : .muted))
    line = line.adding("   ").adding(
      "\(data.deniedCount) denied", Style(data.deniedCount > 0 ? .denied : .muted))
    let room = state.size.width - 1
    let used = state.desk.typesetter.width(of: line.text) + state.desk.typesetter.width(of: data.connection)
    if used < room { line.trailing = TextLine.Span(data.connection, .muted) }
    grid.put(line, at: Position(row: state.layout.headerRow, column: 0), length: room)
  }
}

extension State {
  /// The name of the open view, as the header shows it; `nil` for the first view.
  var screenTitle: String? {
    let title: String? =
      switch screen {
      case .capabilities: nil
      case .capability(let id): desk.data.capability(id)?.title ?? id
      case .program(let program): desk.data.name(of: program)
      default: screen.context.title
      }
    return title.map { desk.typesetter.cut(desk.visible($0), to: max(8, size.width - 50)) }
  }
}
