/// The places and contents of the parts of the open form.
struct FormLayout: Sendable {
  /// Wider lines are harder to read.
  static let widest = 100

  let frame: Rect
  /// The program and its question; never scrolls away.
  let heading: [TextLine]
  /// The lines that can be scrolled.
  let lines: [TextLine]
  /// The number of lines that are on the screen at once.
  let viewHeight: Int
  /// The lines that always stay below the others, above the buttons.
  let fixed: [TextLine]
  let lineWidth: Int
  private let gapAboveButtons: Int

  /// Cells between the frame and the text, on each side.
  static let margin = 2
  /// Rows of the frame itself, the buttons and the keys.
  private static let furniture = 4

  /// - Parameter isTall: Whether the form takes all the room there is, whatever it says.
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
    frame = Rect(
      row: area.origin.row, column: area.origin.column + (area.size.width - width) / 2, width: width,
      height: heading.count + viewHeight + fixed.count + gapAboveButtons + Self.furniture)
  }

  /// Returns whether everything can be on the screen at once.
  static func fits(_ lines: [TextLine], _ fixed: [TextLine], in area: Rect) -> Bool {
    lines.count + fixed.count + furniture <= area.size.height
  }

  /// Returns the width of a line of text in a form, in cells.
  static func lineWidth(in area: Rect) -> Int { min(area.size.width, widest) - 2 - 2 * margin }

  var headingRow: Int { frame.origin.row + 1 }
  var firstRow: Int { headingRow + heading.count }
  var textColumn: Int { frame.origin.column + 1 + Self.margin }
  var fixedRow: Int { firstRow + viewHeight }
  var buttonRow: Int { fixedRow + fixed.count + gapAboveButtons }
  var keyRow: Int { buttonRow + 1 }

  var isScrollable: Bool { lines.count > viewHeight }
}
