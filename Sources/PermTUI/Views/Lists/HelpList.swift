/// The rows of the help view, made from the key table.
struct HelpList {
  let state: State

  static func columns(_ width: Int) -> [Column] {
    [
      Column(title: "Key", width: State.helpKeyWidth(width), gap: State.helpGap),
      Column(title: "What it does", width: 58, weight: 1),
    ]
  }

  /// Returns a row of help.
  ///
  /// - Parameters:
  ///   - number: The index of the help line.
  ///   - part: The index of the row among those of the help line.
  func row(_ number: Int, part: Int) -> ListRow? {
    guard case .help(let context) = state.screen else { return nil }
    let line = state.desk.surroundings.keys.helpLines(for: context)[number]
    if line.isHeading {
      return ListRow(text: TextLine.Span(line.text, .accent, bold: true))
    }
    let parts = state.helpParts(of: line)
    guard parts.indices.contains(part) else { return nil }
    let keys = String(repeating: " ", count: State.helpIndent) + parts[part].keys
    return ListRow(cells: [TextLine.Span(keys, .accent), TextLine.Span(parts[part].text)])
  }
}
