/// The positions and contents of the parts of the open form.
struct FormLayout: Sendable {
  let frame: Rect
  /// The heading with the program and its question. It never scrolls.
  let heading: [TextLine]
  /// The lines that can be scrolled.
  let lines: [TextLine]
  /// The number of ``lines`` that fit on the screen at the same time.
  let viewHeight: Int
  /// The lines that never scroll, between the scrolled lines and the buttons.
  let fixed: [TextLine]
  let area: FormArea
  private let gapAboveButtons: Int

  /// The number of rows that most forms need at most.
  private static let usualHeight = 24

  /// - Parameter isTall: Whether the form takes the whole height of the area, however few lines it has.
  init(
    area: FormArea, heading: [TextLine] = [], lines: [TextLine], fixed: [TextLine] = [], isTall: Bool = false
  ) {
    self.area = area
    self.heading = heading
    self.lines = lines
    self.fixed = fixed
    let room = max(1, area.height - area.furniture - heading.count - fixed.count)
    let spare = room - lines.count
    gapAboveButtons = isTall || spare < 1 ? 0 : 1
    let gapAboveFixed = fixed.isEmpty || spare < 2 ? 0 : 1
    viewHeight = isTall ? room : min(lines.count + gapAboveFixed, room)
    let height = heading.count + viewHeight + fixed.count + gapAboveButtons + area.furniture
    // A form of any usual height begins at the same row, so that it does not move while its choices change.
    let top = isTall ? 0 : min(max(0, area.height - Self.usualHeight) / 2, area.height - height)
    frame = Rect(
      row: area.rect.origin.row + max(0, top),
      column: area.rect.origin.column + (area.rect.size.width - area.formWidth) / 2,
      width: area.formWidth, height: height)
  }

  var isLow: Bool { area.isLow }
  var lineWidth: Int { area.lineWidth }
  var headingRow: Int { frame.origin.row + 1 }
  var firstRow: Int { headingRow + heading.count }
  var textColumn: Int { frame.origin.column + area.margin }
  var fixedRow: Int { firstRow + viewHeight }
  var buttonRow: Int { fixedRow + fixed.count + gapAboveButtons }
  var keyRow: Int { buttonRow + 1 }

  var isScrollable: Bool { lines.count > viewHeight }
}
