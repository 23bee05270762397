/// The positions and contents of the parts of the open form.
struct FormLayout: Sendable {
  /// The greatest width of a form, in cells. Wider lines would be harder to read.
  static let widest = 100

  let frame: Rect
  /// The heading with the program and its question. It never scrolls.
  let heading: [TextLine]
  /// The lines that can be scrolled.
  let lines: [TextLine]
  /// The number of ``lines`` that fit on the screen at the same time.
  let viewHeight: Int
  /// The lines that never scroll, between the scrolled lines and the buttons.
  let fixed: [TextLine]
  let lineWidth: Int
  /// Whether the form has no sides, and its keys are on its lower edge, to leave more space for the text.
  let isLow: Bool
  private let gapAboveButtons: Int

  /// The number of rows that most forms need at most.
  private static let usualHeight = 24

  /// - Parameters:
  ///   - isLow: Whether the form must save height, because the screen has few rows.
  ///   - isTall: Whether the form takes the whole height of the area, however few lines it has.
  init(
    area: Rect, isLow: Bool = false, heading: [TextLine] = [], lines: [TextLine], fixed: [TextLine] = [],
    isTall: Bool = false
  ) {
    lineWidth = Self.lineWidth(in: area, isLow: isLow)
    self.isLow = isLow
    self.heading = heading
    self.lines = lines
    self.fixed = fixed
    let width = min(area.size.width, Self.widest)
    let furniture = Self.furniture(isLow: isLow)
    let room = max(1, area.size.height - furniture - heading.count - fixed.count)
    let spare = room - lines.count
    gapAboveButtons = isTall || spare < 1 ? 0 : 1
    let gapAboveFixed = fixed.isEmpty || spare < 2 ? 0 : 1
    viewHeight = isTall ? room : min(lines.count + gapAboveFixed, room)
    let height = heading.count + viewHeight + fixed.count + gapAboveButtons + furniture
    // A form of any usual height begins at the same row, so that it does not move while its choices change.
    let top = isTall ? 0 : min(max(0, area.size.height - Self.usualHeight) / 2, area.size.height - height)
    frame = Rect(
      row: area.origin.row + max(0, top), column: area.origin.column + (area.size.width - width) / 2,
      width: width,
      height: height)
  }

  /// Returns whether all lines fit on the screen without scrolling.
  static func fits(_ lines: [TextLine], _ fixed: [TextLine], in area: Rect, isLow: Bool) -> Bool {
    lines.count + fixed.count + furniture(isLow: isLow) <= area.size.height
  }

  /// Returns the number of cells that a line of text in a form can take.
  static func lineWidth(in area: Rect, isLow: Bool) -> Int {
    min(area.size.width, widest) - 2 * margin(isLow: isLow)
  }

  /// The number of cells between the form's edge and the text, on each side.
  private static func margin(isLow: Bool) -> Int { isLow ? 1 : 3 }

  /// The number of rows that the edges, the buttons and the keys take.
  private static func furniture(isLow: Bool) -> Int { isLow ? 3 : 4 }

  var headingRow: Int { frame.origin.row + 1 }
  var firstRow: Int { headingRow + heading.count }
  var textColumn: Int { frame.origin.column + Self.margin(isLow: isLow) }
  var fixedRow: Int { firstRow + viewHeight }
  var buttonRow: Int { fixedRow + fixed.count + gapAboveButtons }
  var keyRow: Int { buttonRow + 1 }

  var isScrollable: Bool { lines.count > viewHeight }
}
