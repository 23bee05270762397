import Machine
import PermModel

/// The view in which the person works through the alerts that wait for an answer.
struct WaitingView: ScreenView {
  var context: KeyContext { .waiting }
  var orders: [SortOrder] { [.given, .name, .capability, .since] }
  var isWorkplace: Bool { true }

  func companion(in state: State) -> ScreenLayout.Companion { .essentialRows(6) }
  func rows(in state: State) -> [RowID] { state.desk.waitingByProgram.map { .waiting($0.id) } }
  func rowWidth(in state: State) -> Int { hasHeadings(state) ? 1 : 0 }
  func emptyWords(in state: State) -> String { "Nothing waits." }

  /// Whether the rows are grouped by program, with the name of each above its rows. A low screen has no room for that.
  private func hasHeadings(_ state: State) -> Bool {
    !state.layout.isLow && [.given, .name].contains(state.order)
  }

  func grouped(_ rows: [RowID], in state: State) -> [RowID] {
    guard hasHeadings(state) else { return rows }
    var last: RowID?
    let listed = rows.flatMap { row -> [RowID] in
      guard case .waiting(let id) = row else { return [row] }
      let heading = RowID.heading(state.desk.waiting[id]?.request?.subject, machine: id.machine)
      defer { last = heading }
      return heading == last ? [row] : [heading, row]
    }
    return listed + state.desk.machinesWithMore.map(RowID.unlisted)
  }

  func table(in state: State) -> ViewTable {
    let hasHeadings = hasHeadings(state)
    let list = WaitingTable(desk: state.desk, marked: state.marked, hasHeadings: hasHeadings)
    let columns = Self.columns(state.layout.list.size.width, hasHeadings: hasHeadings)
    return ViewTable(columns: columns) { row in
      switch row {
      case .waiting(let id): state.desk.waiting[id].map(list.row)
      case .heading(let program, let machine): list.heading(program, on: machine)
      case .unlisted(let machine): list.unlisted(on: machine)
      default: nil
      }
    }
  }

  func visible(in state: State) -> VisibleParts {
    let isList = state.layout.list.size.width >= ScreenLayout.widthForEnds
    let rows = isList ? Array(state.visibleRows) : [state.list.selection].compactMap(\.self)
    return VisibleParts(
      waits: rows.compactMap { row in
        if case .waiting(let id) = row { state.desk.waiting[id]?.request } else { nil }
      })
  }

  func openLabel(of row: RowID, in state: State) -> String? {
    if case .waiting = row { "open" } else { nil }
  }

  func take(_ command: Command, in state: inout State) -> [Effect]? {
    switch command {
    case .mark where state.list.detailsTop != nil:
      // Its key scrolls by a page wherever it has no other meaning.
      return state.moveSelection(.pageDown) ? [] : nil
    case .mark: return state.toggleMark()
    case .allow where state.list.detailsTop != nil, .deny where state.list.detailsTop != nil:
      return state.desk.say("No key answers in the preview: \(state.desk.key(.open)) opens the request.")
    case .allow: return state.pick(.allow)
    case .deny: return state.pick(.deny)
    default: return nil
    }
  }

  func whole(in state: State, width: Int) -> [TextLine] {
    guard case .waiting(let id) = state.list.selection else { return [] }
    let text = PaneText(state: state, width: width)
    guard let item = state.desk.waiting[id], let request = item.request else { return text.about(id) }
    return RequestText(text: text, item: item, request: request).preview
  }

  func pane(in state: State, width: Int) -> Pane {
    guard case .waiting(let id) = state.list.selection else { return Pane() }
    let text = PaneText(state: state, width: width)
    guard let item = state.desk.waiting[id], let request = item.request else {
      return Pane(lines: text.about(id))
    }
    let details = RequestText(text: text, item: item, request: request)
    // Beside the list stands the whole request. No key answers there: the alert that can be answered is the one that
    // opens.
    let isPreview = (state.layout.pane?.origin.column ?? 0) > 0
    return isPreview
      ? Pane(title: "Preview: \(state.desk.key(.open)) opens it", lines: details.preview)
      : Pane(title: text.sentence(of: request), lines: details.lines)
  }
}

extension Screen {
  static let waiting = Screen(WaitingView())
}

extension State {
  /// Marks or unmarks the selected request, and selects the next row.
  fileprivate mutating func toggleMark() -> [Effect] {
    guard case .waiting(let id) = list.selection else { return [] }
    guard desk.waiting[id]?.request != nil else {
      return desk.say("It is not a request, and must be answered on its own.")
    }
    if marked.remove(id) == nil { marked.insert(id) }
    list.move(by: 1)
    return []
  }

  /// Reads the requests in focus in full, to give them the same answer.
  fileprivate mutating func pick(_ verdict: Verdict) -> [Effect] {
    let requests = requestsInFocus.filter(desk.canPick)
    return requests.isEmpty
      ? desk.say("There is no request to answer here.") : [.pick(requests.map(\.id), verdict)]
  }
}

extension WaitingView {
  /// Returns the columns for a list of this width. A narrow list leaves it to the details to say where a request is.
  static func columns(_ width: Int, hasHeadings: Bool) -> [Column] {
    let what = Column(
      title: "What", width: hasHeadings ? 43 : 30, weight: 6, order: .capability, cut: .counted)
    let program = Column(title: "Program", width: 13, weight: 2, order: .name, cut: .middle)
    let rest = [
      Column(title: "Why", width: 14, weight: 2, isOptional: true),
      Column(title: "Asked", width: 7, order: .since), Column(title: "Ends", width: 7, isOptional: true),
    ]
    let place = width < LayoutWidth.places ? [] : [Column(title: "Where", width: 12, isOptional: true)]
    return (hasHeadings ? [what] : [what, program]) + rest + place
  }
}

/// The rows of the requests and other items that wait for the person, program by program. What is asked comes first.
private struct WaitingTable {
  let desk: Desk
  let marked: Set<Alert.ID>
  /// Whether the name of a program stands above its rows, and not in them.
  let hasHeadings: Bool

  /// Returns the row that names a program above its requests.
  func heading(_ program: Subject?, on machine: String) -> ListRow {
    let place = desk.machineName(of: Alert.ID("", machine: machine)).map { "\($0): " } ?? ""
    let name = program.map { desk.name(of: $0) } ?? "Beside the requests"
    return ListRow(text: TextLine.Span(place + name, .accent))
  }

  /// Returns the row that counts what waits on a machine and is not listed.
  func unlisted(on machine: String) -> ListRow {
    ListRow(text: TextLine.Span(desk.unlistedWords(on: machine), .muted))
  }

  func row(_ item: WaitingRow) -> ListRow {
    let isAside = desk.place(of: item).isAside
    let what = TextLine.Span(what(item), item.warnings.isEmpty ? .normal : .denied)
    let program = item.request.map { desk.name(of: $0.subject) } ?? "–"
    let rest = [
      TextLine.Span(desk.visible(item.request?.reason ?? ""), .muted),
      TextLine.Span(desk.short(item.askedAt), isAside ? .attention : .muted),
      ends(item.request),
      TextLine.Span(desk.whereabouts(of: item), isAside ? .attention : .normal),
    ]
    return ListRow(
      mark: marked.contains(item.id) ? "+" : " ",
      cells: (hasHeadings ? [what] : [what, TextLine.Span(program, .muted)]) + rest)
  }

  /// Returns when a request gives up, if that is soon.
  private func ends(_ request: Request?) -> TextLine.Span {
    let left = request?.givesUpAt.map { $0.microseconds.subtractingClamped(desk.now.wall.microseconds) }
    return left.map { $0 < 3_600_000_000 } == true ? desk.givesUp(request) : TextLine.Span("", .muted)
  }

  /// Returns what is asked for, with a mark if there is a warning.
  private func what(_ item: WaitingRow) -> String {
    let what = item.request.map(desk.valueFirst) ?? desk.visible(item.summary)
    // A row names its machine only if no heading above it does.
    let place = hasHeadings ? "" : desk.machineName(of: item.id).map { "\($0): " } ?? ""
    return (item.warnings.isEmpty ? "" : "! ") + place + what
  }
}

/// The details of a waiting request.
private struct RequestText {
  let text: PaneText
  let item: WaitingRow
  let request: Request

  private var desk: Desk { text.state.desk }

  /// The facts about a request that a narrow list has no room for, the most important first. The title says which program
  /// asks for which value. On a low screen, each fact has one line.
  var lines: [TextLine] {
    let end = request.givesUpAt == nil ? "" : ", gives up \(desk.givesUp(request).text)"
    let place = desk.whereabouts(of: item)
    guard !text.state.layout.isLow else {
      let reason = request.reason.map { "\" \(text.visible($0)) \"" } ?? "no reason given"
      return [reason, "\(place)\(end)"].map { TextLine(text.typesetter.cut($0, to: text.width)) }
    }
    let title = text.sentence(of: request)
    let whole = text.typesetter.width(of: title) > text.width - 5 ? text.wrapped(title) : []
    return text.why(request) + text.wrapped("Asked \(desk.exact(request.askedAt))\(end), \(place)") + whole
      + text.seen(request)
  }

  /// Returns all that the request itself says, the warnings first.
  var preview: [TextLine] {
    guard let definition = desk.data.capability(request.capability)?.definition else {
      return text.wrapped(text.sentence(of: request), Style(bold: true)) + text.seen(request)
        + text.why(request)
    }
    let action = definition.action(for: request.atoms)
    let sentence = "\(text.visible(request.subject.framedName)) asks to \(text.visible(action))"
    let warnings = item.warnings.flatMap {
      text.wrapped("! \(text.visible($0))", Style(.denied, bold: true))
    }
    let end = request.givesUpAt == nil ? "" : ", gives up \(desk.givesUp(request).text)"
    let asked = "\(desk.exact(request.askedAt))\(end), \(desk.whereabouts(of: item))"
    return text.wrapped(sentence, Style(bold: true)) + warnings + [TextLine()]
      + facts(definition) + form.fact("Asked", asked)
  }

  private func facts(_ definition: CapabilityDefinition) -> [TextLine] {
    let alert = RequestAlert(
      request: request, title: definition.title, action: definition.action(for: request.atoms),
      explanation: definition.explanation(for: request.atoms),
      severity: definition.severity(of: request.atoms),
      choices: [RequirementChoice(atoms: request.atoms, title: definition.title(for: request.atoms))],
      covers: [], identity: .asSeen, lifetimes: [])
    return form.preview(of: alert)
  }

  /// The text of a form that is as wide as the pane.
  private var form: FormText {
    let area = FormArea(rect: Rect(row: 0, column: 0, width: text.width + 2, height: 0), isLow: true)
    let confirmation = Confirmation(title: "", message: "", action: "", cancel: "", isDestructive: false)
    return FormText(
      desk: desk,
      form: Form(.alert(Alert(id: Alert.ID(""), content: .confirmation(confirmation)))), area: area)
  }
}
