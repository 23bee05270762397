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
  private let gapAboveButtons: Int

  /// The number of cells between the frame and the text, on each side.
  static let margin = 2
  /// The number of rows that the frame, the buttons and the keys take.
  private static let furniture = 4
  /// The number of rows that most forms need at most.
  private static let usualHeight = 24

  /// - Parameter isTall: Whether the form takes the whole height of the area, however few lines it has.
  init(
    area: Rect, heading: [TextLine] = [], lines: [TextLine], fixed: [TextLine] = [], isTall: Bool = false
  ) {
    lineWidth = Self.lineWidth(in: area)
    self.heading = heading
    self.lines = lines
    self.fixed = fixed
    let width = min(area.size.width, Self.widest)
    let room = max(1, area.size.height - Self.furniture - heading.count - fixed.count)
    let spare = room - lines.count
    gapAboveButtons = isTall || spare < 1 ? 0 : 1
    let gapAboveFixed = fixed.isEmpty || spare < 2 ? 0 : 1
    viewHeight = isTall ? room : min(lines.count + gapAboveFixed, room)
    let height = heading.count + viewHeight + fixed.count + gapAboveButtons + Self.furniture
    // A form of any usual height begins at the same row, so that it does not move while its choices change.
    let top = isTall ? 0 : min(max(0, area.size.height - Self.usualHeight) / 2, area.size.height - height)
    frame = Rect(
      row: area.origin.row + max(0, top), column: area.origin.column + (area.size.width - width) / 2,
      width: width,
      height: height)
  }

  /// Returns whether all lines fit on the screen without scrolling.
  static func fits(_ lines: [TextLine], _ fixed: [TextLine], in area: Rect) -> Bool {
    lines.count + fixed.count + furniture <= area.size.height
  }

  /// Returns the number of cells that a line of text in a form can take.
  static func lineWidth(in area: Rect) -> Int { min(area.size.width, widest) - 2 - 2 * margin }

  var headingRow: Int { frame.origin.row + 1 }
  var firstRow: Int { headingRow + heading.count }
  var textColumn: Int { frame.origin.column + 1 + Self.margin }
  var fixedRow: Int { firstRow + viewHeight }
  var buttonRow: Int { fixedRow + fixed.count + gapAboveButtons }
  var keyRow: Int { buttonRow + 1 }

  var isScrollable: Bool { lines.count > viewHeight }
}
