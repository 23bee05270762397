/// One row of a list as it is drawn.
struct ListRow: Hashable, Sendable {
  /// `!` for a change that was not made here, `*` for one that was, `+` for what is marked, else a blank.
  var mark = " "
  var cells: [TextLine.Span]

  init(mark: String = " ", _ cells: [TextLine.Span]) {
    self.mark = mark
    self.cells = cells
  }
}

extension TextLine.Span {
  init(_ text: String, _ role: Style.Role = .normal, bold: Bool = false) {
    self.init(text: text, style: Style(role, bold: bold))
  }
}
