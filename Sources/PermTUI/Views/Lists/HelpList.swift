/// The lines of the help, made from the key table.
struct HelpList {
  let state: State

  static let columns = [Column(title: "Key", width: 18), Column(title: "What it does", width: 58, weight: 1)]

  func row(_ number: Int) -> ListRow {
    guard case .help(let context) = state.screen else { return ListRow([]) }
    let lines = state.desk.surroundings.keys.helpLines(for: context)
    guard lines.indices.contains(number) else { return ListRow([]) }
    let line = lines[number]
    if line.isHeading { return ListRow([TextLine.Span(line.text, .accent, bold: true), TextLine.Span("")]) }
    return ListRow([TextLine.Span("  " + line.keys, .accent), TextLine.Span(line.text)])
  }
}
