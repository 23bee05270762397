import PermModel

extension PaneText {
  /// Whether the pane stands beside the list of what waits and shows the whole request. No key answers there: the alert that
  /// can be answered is the one that opens.
  var isPreview: Bool { state.screen == .waiting && (state.layout.pane?.origin.column ?? 0) > 0 }

  func waitingTitle(_ id: Alert.ID) -> String {
    guard let request = state.desk.waiting[id]?.request else { return "Details" }
    return isPreview ? "Preview: \(state.desk.key(.open)) opens it" : sentence(of: request)
  }

  /// Returns all that the request itself says, the warnings first.
  func preview(of item: WaitingItem, _ request: Request) -> [TextLine] {
    guard let definition = state.desk.data.capability(request.capability)?.definition else {
      return wrapped(sentence(of: request), Style(bold: true)) + seen(request) + why(request)
    }
    let action = definition.action(for: request.atoms)
    let sentence = "\(typesetter.visible(request.subject.framedName)) asks to \(typesetter.visible(action))"
    let warnings = item.warnings.flatMap {
      wrapped("! \(typesetter.visible($0))", Style(.denied, bold: true))
    }
    let end = request.givesUpAt == nil ? "" : ", gives up \(state.desk.givesUp(request).text)"
    let asked = "\(state.desk.exact(request.askedAt))\(end), \(state.desk.whereabouts(of: item))"
    return wrapped(sentence, Style(bold: true)) + warnings + [TextLine()]
      + facts(of: request, definition) + form.fact("Asked", asked)
  }

  private func facts(of request: Request, _ definition: CapabilityDefinition) -> [TextLine] {
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
    let area = FormArea(rect: Rect(row: 0, column: 0, width: width + 2, height: 0), isLow: true)
    let confirmation = Confirmation(title: "", message: "", action: "", cancel: "", isDestructive: false)
    return FormText(
      desk: state.desk,
      form: Form(.alert(Alert(id: Alert.ID(""), content: .confirmation(confirmation)))), area: area)
  }
}
