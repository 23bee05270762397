import PermModel

/// Lines of details that several views share.
struct PaneText {
  let state: State
  let width: Int

  var typesetter: Typesetter { state.desk.typesetter }

  func visible(_ foreign: String) -> String { typesetter.visible(foreign) }

  func title(ofCapability id: String) -> String {
    guard let capability = state.desk.data.capability(id) else { return id }
    return visible("\(capability.title): \(capability.summary)")
  }

  func about(_ program: Subject) -> [TextLine] {
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

  /// Returns what holds for a program beside its decisions about single capabilities.
  func general(_ status: ProgramStatus) -> [TextLine] {
    let mute = status.mute.map { row in
      wrapped(
        "✕ Muted \(row.lifetime.words(state.desk.short)): what is not decided is denied, and nothing is asked.",
        Style(.denied))
    }
    let panic = state.desk.data.panicSince.map { since in
      wrapped("‖ Panic since \(state.desk.short(since)): nothing is allowed.", Style(.attention))
    }
    return (mute ?? []) + (panic ?? [])
  }

  func about(_ id: Alert.ID) -> [TextLine] {
    guard let item = state.desk.waiting[id] else { return [] }
    guard let request = item.request else {
      let paragraphs = item.message.split(separator: "\n").flatMap { wrapped(typesetter.visible(String($0))) }
      return wrapped(typesetter.visible(item.summary), Style(bold: true)) + paragraphs
    }
    return wrapped(sentence(of: request)) + seen(request) + why(request)
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

  func wrapped(_ text: String, _ style: Style = .normal) -> [TextLine] {
    typesetter.lines(text, style, width: width)
  }
}
