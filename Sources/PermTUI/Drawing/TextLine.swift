/// A styled line of text that has no position yet.
struct TextLine: Hashable, Sendable {
  struct Span: Hashable, Sendable {
    var text: String
    var style: Style
  }

  var spans: [Span] = []
  /// Text that is drawn at the right end of the line.
  var trailing: Span?
  /// Whether the person is typing this line. If so, the cursor is at the end of the line.
  var isEntry = false

  init(_ text: String = "", _ style: Style = .normal) {
    if !text.isEmpty { spans = [Span(text: text, style: style)] }
  }

  mutating func add(_ text: String, _ style: Style = .normal) {
    spans.append(Span(text: text, style: style))
  }

  func adding(_ text: String, _ style: Style = .normal) -> TextLine {
    var line = self
    line.add(text, style)
    return line
  }

  var text: String { spans.map(\.text).joined() }
}

extension TextLine.Span {
  init(_ text: String, _ role: Style.Role = .normal, bold: Bool = false) {
    self.init(text: text, style: Style(role, bold: bold))
  }
}

extension TextLine {
  /// Returns the line with these words underlined wherever they are no part of a longer word.
  func underlining(_ words: [String]) -> TextLine {
    var line = self
    line.spans = spans.flatMap { span in
      span.style == spans.first?.style && spans.count > 1 ? [span] : span.underlining(words)
    }
    return line
  }
}

extension TextLine.Span {
  fileprivate func underlining(_ words: [String]) -> [TextLine.Span] {
    let found = words.flatMap { text.ranges(of: $0) }.filter(isWhole).sorted { $0.lowerBound < $1.lowerBound }
    var (parts, place) = ([TextLine.Span](), text.startIndex)
    let marked = Style(style.role, bold: style.bold, dim: style.dim, reverse: style.reverse, underline: true)
    for range in found where range.lowerBound >= place {
      parts.append(TextLine.Span(text: String(text[place..<range.lowerBound]), style: style))
      parts.append(TextLine.Span(text: String(text[range]), style: marked))
      place = range.upperBound
    }
    return (parts + [TextLine.Span(text: String(text[place...]), style: style)]).filter { !$0.text.isEmpty }
  }

  private func isWhole(_ range: Range<String.Index>) -> Bool {
    func isPart(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "-" || character == "_"
    }
    let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
    let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
    return !isPart(before) && !isPart(after)
  }
}

extension Typesetter {
  /// Returns the number of cells that a line takes without its trailing text.
  func width(of line: TextLine) -> Int { line.spans.reduce(0) { $0 + width(of: $1.text) } }

  func lines(_ text: String, _ style: Style = .normal, width: Int) -> [TextLine] {
    wrap(text, to: width).map { TextLine($0, style) }
  }

  /// Returns `text` broken into lines of at most `width` cells. The first line begins with the heading, and the others
  /// are indented by the heading's width.
  ///
  /// - Parameter column: The width of the heading and of the indentation, in cells.
  func hang(
    _ text: String, _ style: Style = .normal, behind heading: String, _ headingStyle: Style = Style(.muted),
    column: Int, width: Int
  ) -> [TextLine] {
    wrap(text, to: width - column).enumerated().map { index, part in
      TextLine(pad(index == 0 ? heading : "", to: column), headingStyle).adding(part, style)
    }
  }
}

extension Typesetter {
  /// Returns the part of a text that fits on one line, and the rest.
  func firstLine(of text: String, width: Int) -> (line: String, rest: String) {
    let line = wrap(text, to: width).first ?? ""
    return (line, String(text.dropFirst(line.count)))
  }
}

extension Grid {
  /// Draws lines one below the other, each limited to `length` cells.
  mutating func put(_ lines: some Sequence<TextLine>, at position: Position, length: Int) {
    for (offset, line) in lines.enumerated() {
      put(line, at: Position(row: position.row + offset, column: position.column), length: length)
    }
  }

  /// Draws a line that is limited to `length` cells, with its trailing text at the right end.
  mutating func put(_ line: TextLine, at position: Position, length: Int) {
    var used = 0
    for span in line.spans {
      let place = Position(row: position.row, column: position.column + used)
      used += put(span.text, at: place, style: span.style, limit: length - used)
    }
    guard let trailing = line.trailing else { return }
    let column = max(used + 1, length - measure.width(of: trailing.text))
    let place = Position(row: position.row, column: position.column + column)
    put(trailing.text, at: place, style: trailing.style, limit: length - column)
  }
}
