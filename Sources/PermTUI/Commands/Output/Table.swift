import PermModel

/// A table of rows under headings. Its columns are aligned by the number of terminal cells that each string occupies.
struct Table: Sendable {
  /// One cell of a table. Its text might be untrusted, and is escaped when the table is rendered.
  struct Cell: Hashable, Sendable, ExpressibleByStringLiteral {
    var text: String
    var role: Style.Role
    /// Whether the text is the text form of a scope or of a reference, whose backslashes begin escapes.
    var isWritten = false

    init(_ text: String, _ role: Style.Role = .normal) {
      self.text = text
      self.role = role
    }

    init(written text: String) {
      self.init(text)
      isWritten = true
    }

    init(stringLiteral value: String) { self.init(value) }
  }

  private static let gap = 2

  let headings: [String]
  private var rows: [[Cell]] = []

  init(_ headings: String...) { self.headings = headings }

  /// Adds a row with one cell for each heading.
  mutating func add(_ cells: Cell...) {
    precondition(cells.count == headings.count, "a row has one cell for each heading")
    rows.append(cells)
  }

  /// Returns the table as lines without trailing spaces, each followed by a newline.
  func rendered(measure: any CellMeasure, colors: PrintedColors) -> String {
    let lines = ([headings.map { Cell($0, .accent) }] + rows).map { row in
      row.map { Cell($0.visibleText(measure), $0.role) }
    }
    let widths = headings.indices.map { column in
      lines.map { measure.width(of: $0[column].text) }.max() ?? 0
    }
    return lines.reduce(into: "") { result, cells in
      var blanks = 0
      for (cell, width) in zip(cells, widths) {
        let used = measure.width(of: cell.text)
        if used > 0 {
          result += String(repeating: " ", count: blanks)
          result += colors.colored(cell.text, as: cell.role)
          blanks = 0
        }
        blanks += width - used + Self.gap
      }
      result += "\n"
    }
  }
}

extension Table.Cell {
  fileprivate func visibleText(_ measure: any CellMeasure) -> String {
    isWritten
      ? VisibleText.escaped(written: text, measure: measure) : VisibleText.escaped(text, measure: measure)
  }
}
