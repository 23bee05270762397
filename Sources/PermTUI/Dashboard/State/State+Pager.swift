import PermModel

// Reading in the pager.

extension State {
  /// The greatest width of the lines in the pager, in cells.
  private static let widestPage = 100

  /// Shows all that is known about the selection in the pager.
  mutating func readSelection() -> [Effect] {
    let lines = screen.view.whole(in: self, width: min(size.width - 1, Self.widestPage))
    guard !lines.isEmpty else { return desk.say("There is no more to read about this row.") }
    return [.show(lines.map(\.text).joined(separator: "\n"))]
  }
}

extension Desk {
  /// Returns what a form says, with all that is known about the program.
  func wholeText(_ form: Form) -> String {
    var form = form
    form.isUnfolded = true
    let width = max(form.seen.width, State.smallest.width - 4) + 2
    let area = FormArea(rect: Rect(row: 0, column: 0, width: width, height: 0), isLow: true)
    let text = FormText(desk: self, form: form, area: area)
    return (text.heading + text.facts).map(\.text).joined(separator: "\n")
  }
}
