import PermModel

/// The text of the pane that shows the details of the selection.
struct PaneText {
  let state: State
  let width: Int

  var typesetter: Typesetter { state.desk.typesetter }

  var title: String {
    switch (state.screen, state.list.selection) {
    case (.capabilities, .capability(let id)), (.capability(let id), _): capabilityTitle(id)
    case (.program(let program), _), (.programs, .program(let program)): state.desk.name(of: program)
    case (.programs, .desktop(let id)): typesetter.visible("\(id.appWords): \(id.place)")
    case (.matrix, .program(let program)): pairTitle(program)
    case (.capabilities, .absent): "Not on this machine, with reasons"
    case (.waiting, .waiting(let id)): waitingTitle(id)
    default: "Details"
    }
  }

  private func capabilityTitle(_ id: String) -> String {
    guard let capability = state.desk.data.capability(id) else { return id }
    return typesetter.visible("\(capability.title): \(capability.summary)")
  }

  var lines: [TextLine] {
    switch (state.screen, state.list.selection) {
    case (.capabilities, .capability(let id)): overview(of: id)
    case (.capabilities, .absent): absent
    case (.capability(let id), _): details(of: id)
    case (.program(let program), _), (.programs, .program(let program)): about(program)
    case (.programs, .desktop(let id)): desktop(id)
    case (.matrix, .program(let program)): pair(program)
    case (.waiting, .waiting(let id)): waiting(id)
    case (.operations, .waiting(let id)): about(id) + reason(id)
    case (.operations, .operation(let id)): operation(id)
    case (.journal, .journal(let id)): journal(id)
    default: []
    }
  }

  /// Returns the details that the first view shows for a capability without decisions.
  private func overview(of id: String) -> [TextLine] {
    guard let capability = state.desk.data.capability(id) else { return [] }
    if let why = capability.unavailability {
      return wrapped("Not available: \(typesetter.visible(why.reason))")
        + wrapped("To change that: \(typesetter.visible(why.remedy))", Style(.muted)) + firstSteps
    }
    return firstSteps.isEmpty
      ? wrapped("No program has asked for this.")
      : firstSteps
  }

  /// The lines that say what to do as long as nothing is decided and nothing waits.
  private var firstSteps: [TextLine] {
    guard state.desk.hasNothingToShow else { return [] }
    return wrapped("Nothing is decided yet. In another terminal, try")
      + typesetter.hang(
        FirstRequest.command, Style(.accent), behind: "", column: 2, width: width)
      + wrapped("or play the demo:") + [TextLine("  permtui demo", Style(.accent))]
  }

  /// The reasons why this machine lacks capabilities.
  private var absent: [TextLine] {
    firstSteps
      + state.absent.flatMap { capability in
        let reason = capability.unavailability?.reason ?? ""
        return wrapped(
          "\(typesetter.visible(capability.title)): \(typesetter.visible(reason))", Style(.muted))
      }
  }

  private func about(_ program: Subject) -> [TextLine] {
    var lines =
      may
      + wrapped(
        program.isUnbound
          ? "No file was seen under this name yet." : "Seen: \(typesetter.visible(program.place))")
    if program.isSandboxed { lines += wrapped("It runs in a sandbox, and what is decided ends with that.") }
    if program.isReplaced {
      lines += wrapped(
        "Its file\(program.folder == nil ? "" : " or folder") was replaced since: what is decided does not hold for the new one."
      )
    }
    lines += general(ProgramStatus(of: program, in: state.desk.data))
    guard let row = selectedDecision else { return lines }
    if let used = row.lastUsed { lines += wrapped("Last used: \(state.desk.exact(used))") }
    if let note = row.note { lines += wrapped("Note: \" \(typesetter.visible(note)) \"") }
    return lines
  }

  /// The values that the selected decision is about; empty if it is not about values.
  private var may: [TextLine] {
    guard let row = selectedDecision, row.isAboutValues else { return [] }
    return wrapped("\(row.verdict == .allow ? "May" : "May not"): \(state.desk.may(row))")
  }

  var selectedDecision: DecisionRow? {
    if case .decision(let id) = state.list.selection { state.desk.data.decision(id) } else { nil }
  }

  private func operation(_ id: String) -> [TextLine] {
    guard let row = state.desk.data.operation(id) else { return [] }
    let time = state.desk.exact(row.since)
    let verb = row.isHolding ? "holds" : "waits for"
    return wrapped(
      "\(typesetter.visible(row.operation)) \(verb) \(typesetter.visible(row.category)) since \(time).")
      + (row.why.isEmpty ? [] : wrapped(typesetter.visible(row.why)))
  }

  private func journal(_ id: Int64) -> [TextLine] {
    guard let row = state.desk.data.journalRow(id) else { return [] }
    let time = state.desk.exact(row.at)
    let whole = row.values.isEmpty ? row.what : row.values.joined(separator: " · ")
    let words = [row.kind, row.program, whole].filter { !$0.isEmpty }.map(typesetter.visible)
    return wrapped("\(time)  \(words.joined(separator: ", "))")
      + (row.detail.isEmpty ? [] : wrapped(typesetter.visible(row.detail)))
  }

  private func about(_ id: Alert.ID) -> [TextLine] {
    guard let item = state.desk.waiting[id] else { return [] }
    guard let request = item.request else {
      let paragraphs = item.message.split(separator: "\n").flatMap { wrapped(typesetter.visible(String($0))) }
      return wrapped(typesetter.visible(item.summary), Style(bold: true)) + paragraphs
    }
    return wrapped(sentence(of: request)) + seen(request) + why(request)
  }

  /// Returns what the list of waiting requests leaves out where it has little space, the most important first. The
  /// title says who asks for what. On a low screen, each fact has one line.
  private func waiting(_ id: Alert.ID) -> [TextLine] {
    guard let item = state.desk.waiting[id], let request = item.request else { return about(id) }
    let end = request.givesUpAt == nil ? "" : ", gives up \(state.desk.givesUp(request).text)"
    let place = state.desk.whereabouts(of: item)
    if isPreview { return preview(of: item, request) }
    guard !state.layout.isLow else {
      let reason = request.reason.map { "\" \(typesetter.visible($0)) \"" } ?? "no reason given"
      return [reason, "\(place)\(end)"].map { TextLine(typesetter.cut($0, to: width)) }
    }
    let whole = typesetter.width(of: title) > width - 5 ? wrapped(title) : []
    return why(request) + wrapped("Asked \(state.desk.exact(request.askedAt))\(end), \(place)") + whole
      + seen(request)
  }

  func sentence(of request: Request) -> String {
    "\(typesetter.visible(request.subject.name)) asks for \(typesetter.visible(state.desk.what(request)))"
  }

  func seen(_ request: Request) -> [TextLine] {
    guard let program = request.evidence?.program else { return [] }
    return wrapped("Seen: \(typesetter.visible(HomeFolder.shortened(program)))")
  }

  func why(_ request: Request) -> [TextLine] {
    request.reason.map { wrapped("Reason: \" \(typesetter.visible($0)) \"") } ?? []
  }

  private func reason(_ id: Alert.ID) -> [TextLine] {
    state.desk.waiting[id].map { wrapped("No answer yet: \(state.desk.reason(for: $0))") } ?? []
  }

  func wrapped(_ text: String, _ style: Style = .normal) -> [TextLine] {
    typesetter.lines(text, style, width: width)
  }
}
