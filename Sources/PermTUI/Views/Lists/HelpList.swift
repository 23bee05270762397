/// The rows of the help view, made from the key table.
struct HelpList {
  let state: State

  static func columns(_ width: Int) -> [Column] {
    [Column(title: "Key", width: width < 60 ? 12 : 18), Column(title: "What it does", width: 58, weight: 1)]
  }

  func row(_ number: Int) -> ListRow? {
    guard case .help(let context) = state.screen else { return nil }
    let line = state.desk.surroundings.keys.helpLines(for: context)[number]
    if line.isHeading {
      return ListRow(cells: [TextLine.Span(line.text, .accent, bold: true), TextLine.Span("")])
    }
    return ListRow(cells: [TextLine.Span("  " + line.keys, .accent), TextLine.Span(line.text)])
  }
}
