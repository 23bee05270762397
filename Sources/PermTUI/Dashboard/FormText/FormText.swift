import PermModel

/// The text of a form in lines. Foreign text is escaped here and never cut.
struct FormText {
  let desk: Desk
  let form: Form
  let width: Int

  var typesetter: Typesetter { desk.typesetter }

  static let valueColumn = 10

  /// Whether there is little room to the side.
  var isNarrow: Bool { width < 70 }

  /// The subject in a sentence.
  var heading: [TextLine] {
    if let request = form.request { return sentence(of: request) }
    if let change = form.change { return question(of: change) }
    let title = form.confirmation?.title ?? form.notice?.title ?? ""
    return wrapped(typesetter.visible(title), Style(bold: true))
  }

  /// The facts to read before answering.
  var facts: [TextLine] {
    if let request = form.request { return [TextLine()] + facts(of: request) }
    if let change = form.change { return [TextLine()] + facts(of: change) }
    if case .question(let question) = form.content { return message(question.confirmation.message) }
    let foreign = form.confirmation?.message ?? form.notice?.message ?? ""
    return message(
      foreign.split(separator: "\n", omittingEmptySubsequences: false)
        .map { typesetter.visible(String($0)) }.joined(separator: "\n"))
  }

  /// Returns the form for small screens: facts and consequences scroll between the heading and the choices. A heading
  /// that would leave no room scrolls too.
  func scrolling(in area: Rect) -> FormLayout {
    let lines = facts.drop { $0 == TextLine() } + consequences
    if heading.count > 2 { return FormLayout(area: area, lines: heading + lines, fixed: choices) }
    return FormLayout(area: area, heading: heading, lines: Array(lines), fixed: choices)
  }

  /// Returns paragraphs; foreign text must be escaped already.
  private func message(_ text: String) -> [TextLine] {
    text.isEmpty ? [] : [TextLine()] + wrapped(text)
  }

  func wrapped(_ text: String, _ style: Style = .normal) -> [TextLine] {
    typesetter.lines(text, style, width: width)
  }

  /// Returns a fact: its name, and its value in as many lines as it takes.
  ///
  /// - Parameter note: Put at the right of the first line, or on a line of its own if there is no room.
  func fact(
    _ name: String, _ value: String, _ style: Style = .normal, note: TextLine.Span? = nil
  ) -> [TextLine] {
    let column = max(Self.valueColumn, name.count + 2)
    let noteWidth = note.map { typesetter.width(of: $0.text) + 2 } ?? 0
    var lines = typesetter.hang(value, style, behind: name, column: column, width: width)
    guard let note else { return lines }
    if lines.count == 1, typesetter.width(of: value) + noteWidth <= width - column {
      lines[0].trailing = note
    } else {
      lines.append(TextLine(String(repeating: " ", count: column)).adding(note.text, note.style))
    }
    return lines
  }

  /// The lines in place of the facts: the other waiting items, or the keys.
  var pageLines: [TextLine] {
    switch form.page {
    case .facts: return facts
    case .keys:
      return desk.surroundings.keys.helpLines(for: factsContext).flatMap { line in
        line.isHeading
          ? [TextLine(line.text, Style(.accent, bold: true))]
          : typesetter.hang(line.text, behind: "  " + line.keys, Style(.accent), column: 20, width: width)
      }
    case .waiting:
      let others = desk.waitingItems.filter { $0.id != form.alertID }
      let heading = TextLine(
        others.isEmpty ? "Nothing else waits." : "Waiting, in this order:", Style(bold: true))
      return [heading] + others.flatMap(lines)
    }
  }

  private var factsContext: KeyContext {
    var form = form
    form.page = .facts
    return form.context
  }

  private func lines(of item: WaitingItem) -> [TextLine] {
    let place = desk.place(of: item)
    let text = typesetter.visible(item.summary) + (place == .setAside ? " (set aside)" : "")
    return typesetter.hang(text, behind: "· ", column: 2, width: width)
  }
}
