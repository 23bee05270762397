import PermModel

/// The text of a form, in lines. Untrusted text from other programs is escaped and never cut off.
struct FormText {
  let desk: Desk
  let form: Form
  let area: FormArea

  var width: Int { area.lineWidth }
  private var isLow: Bool { area.isLow }

  var typesetter: Typesetter { desk.typesetter }

  /// The column in which the values of the facts begin.
  var valueColumn: Int { isLow ? 9 : 10 }

  /// Whether the form has little horizontal space.
  var isNarrow: Bool { width < LayoutWidth.usualForm }

  /// The sentence at the top: the request, the question, or the title.
  var heading: [TextLine] {
    if let request = form.request { return sentence(of: request) }
    if let change = form.change { return question(of: change) }
    let title = form.confirmation?.title ?? form.notice?.title ?? ""
    return wrapped(typesetter.visible(title), Style(bold: true))
  }

  /// The facts that the person should read before answering.
  var facts: [TextLine] {
    if let request = form.request { return [TextLine()] + facts(of: request) }
    if let change = form.change { return [TextLine()] + facts(of: change) }
    if case .question(let question) = form.content { return message(question.confirmation.message) }
    let foreign = form.confirmation?.message ?? form.notice?.message ?? ""
    return message(
      foreign.split(separator: "\n", omittingEmptySubsequences: false)
        .map { typesetter.visible(String($0)) }.joined(separator: "\n"))
  }

  /// Returns the paragraphs of a message. Untrusted text in it must already be escaped.
  private func message(_ text: String) -> [TextLine] {
    guard !text.isEmpty else { return [] }
    let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false)
    return [TextLine()] + paragraphs.flatMap { paragraph(String($0)) }
  }

  /// Returns the lines of a paragraph. In a row of a table, whose cells are at least two blanks apart, further lines
  /// are indented like the last cell.
  private func paragraph(_ text: String) -> [TextLine] {
    if text.isEmpty { return [TextLine()] }
    guard let gap = text.ranges(of: "  ").last, gap.upperBound < text.endIndex else { return wrapped(text) }
    let (start, last) = (String(text[..<gap.upperBound]), String(text[gap.upperBound...]))
    let column = typesetter.width(of: start)
    guard !start.allSatisfy({ $0 == " " }), column * 2 < width else { return wrapped(text) }
    return typesetter.hang(last, behind: start, .normal, column: column, width: width)
  }

  func wrapped(_ text: String, _ style: Style = .normal) -> [TextLine] {
    typesetter.lines(text, style, width: width)
  }

  /// Returns a sentence in as many lines as needed. If its untrusted start takes more than one line, all but the first
  /// are indented as values are, so that the untrusted text cannot look like the name of a fact.
  func hanging(_ untrusted: String, _ end: String, _ style: Style) -> [TextLine] {
    let (first, rest) = typesetter.firstLine(of: untrusted + end, width: width)
    let column = first.count < untrusted.count ? valueColumn : 0
    return [TextLine(first, style)]
      + (rest.isEmpty ? [] : typesetter.hang(rest, style, behind: "", column: column, width: width))
  }

  /// Returns the lines of a fact: its name, followed by its value in as many lines as needed.
  ///
  /// - Parameters:
  ///   - lead: Words before the value's first line. The other lines are indented by their width.
  ///   - note: A note at the right end of the last line, or below the value if there is no space.
  func fact(
    _ name: String, _ value: String, _ style: Style = .normal, lead: String = "", note: TextLine.Span? = nil
  ) -> [TextLine] {
    let start = max(valueColumn, name.count + (isLow ? 1 : 2))
    let (name, column) = (typesetter.pad(name, to: start) + lead, start + lead.count)
    let noteWidth = note.map { typesetter.width(of: $0.text) + 2 } ?? 0
    var lines = typesetter.hang(value, style, behind: name, column: column, width: width)
    guard let note, let last = lines.last else { return lines }
    if typesetter.width(of: last.text) + noteWidth <= width {
      lines[lines.count - 1].trailing = note
    } else {
      lines += typesetter.hang(note.text, note.style, behind: "", column: column, width: width)
    }
    return lines
  }

  /// The lines of the page that is open: the facts, or the keys that replace them.
  var pageLines: [TextLine] {
    switch form.page {
    case .facts: return facts
    case .keys:
      return desk.context.keys.helpLines(for: factsContext).flatMap { line in
        line.isHeading
          ? [TextLine(line.text, Style(.accent, bold: true))]
          : typesetter.hang(line.text, behind: "  " + line.keys, Style(.accent), column: 20, width: width)
      }
    }
  }

  private var factsContext: KeyContext {
    var form = form
    form.page = .facts
    return form.context
  }
}
