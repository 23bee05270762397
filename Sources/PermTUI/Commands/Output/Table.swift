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

    init(written text: String, _ role: Style.Role = .normal) {
      self.init(text, role)
      isWritten = true
    }

    init(stringLiteral value: String) { self.init(value) }
  }

  fileprivate static let gap = 2

  /// A way to make a table narrower that is too wide for the terminal.
  enum Fit: Hashable, Sendable {
    /// Leaves out the column with this heading.
    case drop(String)
    /// Replaces the starts of long cells in the column with this heading by a mark.
    case shortenStart(String)
    /// Replaces the ends of long cells in the column with this heading by a mark.
    case shortenEnd(String)
  }

  private(set) var headings: [String]
  private var rows: [[Cell]] = []
  /// The ways to make this table narrower. Each is used only if those before it are not enough.
  let fits: [Fit]

  /// - Parameter fits: The ways to make this table narrower, in the order in which they are used.
  init(_ headings: String..., fitting fits: [Fit] = []) {
    self.headings = headings
    self.fits = fits
  }

  /// Adds a row with one cell for each heading.
  mutating func add(_ cells: Cell...) {
    precondition(cells.count == headings.count, "a row has one cell for each heading")
    rows.append(cells)
  }

  /// Returns the table as lines without trailing spaces, each followed by a newline.
  ///
  /// - Parameter width: The width of the terminal, into which the table is fitted; `nil` if the table can be of any width.
  func rendered(measure: any CellMeasure, colors: PrintedColors, width: Int? = nil) -> String {
    let fitted = TableFit(self, measure: measure, width: width)
    let (lines, widths) = (fitted.lines, fitted.widths)
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

extension Table {
  /// All lines, the headings first, with escaped texts.
  fileprivate func lines(_ measure: any CellMeasure) -> [[Cell]] {
    ([headings.map { Cell($0, .accent) }] + rows).map { row in
      row.map { Cell($0.visibleText(measure), $0.role) }
    }
  }
}

/// The lines of a table, fitted into a width as far as the table's ways to become narrower allow.
private struct TableFit {
  private static let narrowest = 8

  private var headings: [String]
  private(set) var lines: [[Table.Cell]]
  private let typesetter: Typesetter

  init(_ table: Table, measure: any CellMeasure, width: Int?) {
    headings = table.headings
    lines = table.lines(measure)
    typesetter = Typesetter(measure: measure)
    guard let width else { return }
    for fit in table.fits where excess(over: width) > 0 { apply(fit, excess(over: width)) }
  }

  var widths: [Int] { headings.indices.map { width(ofColumn: $0) } }

  private func width(ofColumn column: Int) -> Int {
    lines.map { typesetter.width(of: $0[column].text) }.max() ?? 0
  }

  private func excess(over width: Int) -> Int {
    // A column without text has no gap before it, since lines have no trailing spaces.
    widths.reduce(0, +) + Table.gap * (headings.count - 1) - width
  }

  private mutating func apply(_ fit: Table.Fit, _ excess: Int) {
    switch fit {
    case .drop(let heading):
      guard let column = headings.firstIndex(of: heading) else { return }
      headings.remove(at: column)
      for line in lines.indices { lines[line].remove(at: column) }
    case .shortenStart(let heading): shorten(heading, by: excess) { $0.cutStart($1, to: $2) }
    case .shortenEnd(let heading): shorten(heading, by: excess) { $0.cut($1, to: $2) }
    }
  }

  private mutating func shorten(
    _ heading: String, by excess: Int, _ cut: (Typesetter, String, Int) -> String
  ) {
    guard let column = headings.firstIndex(of: heading) else { return }
    let room = max(Self.narrowest, width(ofColumn: column) - excess)
    for line in lines.indices { lines[line][column].text = cut(typesetter, lines[line][column].text, room) }
  }
}

extension Table.Cell {
  fileprivate func visibleText(_ measure: any CellMeasure) -> String {
    isWritten
      ? VisibleText.escaped(written: text, measure: measure) : VisibleText.escaped(text, measure: measure)
  }
}
