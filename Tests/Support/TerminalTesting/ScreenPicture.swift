/// The content of a screen, in a form that tests compare and people read: from a grid, or from a terminal emulator.
///
/// Its text form follows Neovim's screen tests: rows between bars, `{1:text}` for styled text with a legend below, and
/// `^` before the cell that the cursor is on.
public struct ScreenPicture: Equatable, Sendable {
  /// One cell; `text` is empty for the second cell of a wide character, `style` is empty for plain text.
  public struct Cell: Equatable, Sendable {
    public var text: String
    public var style: String

    public init(text: String, style: String = "") {
      self.text = text
      self.style = style
    }
  }

  /// The cursor's cell; rows and columns count from zero.
  public struct Cursor: Equatable, Sendable {
    public var row: Int
    public var column: Int
    public var isVisible: Bool

    public init(row: Int, column: Int, isVisible: Bool) {
      self.row = row
      self.column = column
      self.isVisible = isVisible
    }
  }

  public var rows: [[Cell]]
  public var cursor: Cursor?

  public init(rows: [[Cell]], cursor: Cursor? = nil) {
    self.rows = rows
    self.cursor = cursor
  }

  /// The rows as plain text, without trailing blanks.
  public var lines: [String] {
    rows.map { row in
      var line = row.map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// All rows as plain text.
  public var text: String { lines.joined(separator: "\n") }

  /// Whether a row shows `text`.
  public func contains(_ text: String) -> Bool {
    lines.contains { $0.contains(text) }
  }
}

extension ScreenPicture: CustomStringConvertible {
  /// The golden form.
  public var description: String {
    var legend: [String] = []
    var result = ""
    for (index, row) in rows.enumerated() {
      result += "|" + Self.marked(row, cursorAt: cursor?.row == index ? cursor?.column : nil, &legend) + "|\n"
    }
    for (index, style) in legend.enumerated() { result += "{\(index + 1)} \(style)\n" }
    if let cursor, cursor.isVisible { result += "cursor visible\n" }
    return result
  }

  private static func marked(_ row: [Cell], cursorAt column: Int?, _ legend: inout [String]) -> String {
    var result = ""
    var current = ""
    for (index, cell) in row.enumerated() {
      if cell.style != current {
        if !current.isEmpty { result += "}" }
        current = cell.style
        if !current.isEmpty { result += "{\(number(of: current, in: &legend)):" }
      }
      if index == column { result += "^" }
      result += cell.text
    }
    return current.isEmpty ? result : result + "}"
  }

  private static func number(of style: String, in legend: inout [String]) -> Int {
    if let index = legend.firstIndex(of: style) { return index + 1 }
    legend.append(style)
    return legend.count
  }
}
