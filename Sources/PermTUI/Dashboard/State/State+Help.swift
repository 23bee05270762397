/// The rows of the help view. A line that is too long for its column takes several rows.
extension State {
  /// The number of blanks before the keys.
  static let helpIndent = 2
  /// The number of cells between the keys and what they do.
  static let helpGap = 2

  /// Returns the width of the column with the keys, in cells, including the gap after it.
  static func helpKeyWidth(_ width: Int) -> Int { width < LayoutWidth.narrow ? 13 : 18 }

  /// Returns the rows of all help lines for a context.
  func helpRows(_ context: KeyContext) -> [RowID] {
    desk.surroundings.keys.helpLines(for: context).enumerated().flatMap { number, line in
      helpParts(of: line).indices.map { RowID.line(number, part: $0) }
    }
  }

  /// Returns the parts of a help line, one for each of its rows.
  func helpParts(of line: HelpLine) -> [HelpLine] {
    guard !line.isHeading else { return [line] }
    let keyWidth = Self.helpKeyWidth(size.width)
    let keys = helpParts(of: line.keys, to: keyWidth - Self.helpIndent - Self.helpGap)
    let texts = helpParts(of: line.text, to: size.width - ScreenLayout.rowIndent - 1 - keyWidth)
    return (0..<max(keys.count, texts.count)).map { place in
      HelpLine(
        keys: keys.indices.contains(place) ? keys[place] : "",
        text: texts.indices.contains(place) ? texts[place] : "")
    }
  }

  private func helpParts(of text: String, to limit: Int) -> [String] {
    desk.typesetter.wrap(text, to: limit).map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
  }
}
