/// The area that a form can use.
struct FormArea: Hashable, Sendable {
  /// The greatest width of a form, in cells. Wider lines would be harder to read.
  private static let widest = 100

  let rect: Rect
  /// Whether the screen has few rows. The form then has no sides, and its keys are on its lower edge, to leave more space
  /// for the text.
  let isLow: Bool

  var height: Int { rect.size.height }
  /// The width of the form, in cells.
  var formWidth: Int { min(rect.size.width, Self.widest) }
  /// The number of cells that a line of text can take.
  var lineWidth: Int { formWidth - 2 * margin }
  /// The number of cells between the form's edge and the text, on each side.
  var margin: Int { isLow ? 1 : 3 }
  /// The number of rows that the edges, the buttons and the keys take.
  var furniture: Int { isLow ? 3 : 4 }

  /// Returns whether all lines fit on the screen without scrolling.
  func fits(_ lines: [TextLine], _ fixed: [TextLine]) -> Bool {
    lines.count + fixed.count + furniture <= height
  }
}
