/// The cursor's position as far as it is certain, and the next movement. Rows and columns are counted from 1.
struct CursorTrace {
  private let width: Int
  /// The cursor's row; `nil` if it is not certain.
  private(set) var row: Int?
  /// The columns that the cursor can be in.
  private(set) var columns: ClosedRange<Int>
  private var target: (row: Int?, column: Int?)?
  /// The row in which a line feed scrolls.
  private var bottom: Int

  init(_ size: Size, at position: Position?) {
    width = size.width
    row = position.map { $0.row + 1 }
    columns = position.map { $0.column + 1...$0.column + 1 } ?? 1...max(1, size.width)
    bottom = size.height
  }

  /// The row after the next movement.
  var nextRow: Int? { target?.row ?? row }
  /// The first column that the cursor can be in after the next movement.
  var nextColumn: Int { target?.column ?? columns.lowerBound }

  mutating func move(toRow row: Int? = nil, column: Int? = nil) {
    target = (row ?? target?.row, column ?? target?.column)
  }

  mutating func move(toColumn column: Int) { move(toRow: nil, column: column) }

  /// Forgets the position and the next movement.
  mutating func lose(bottom: Int? = nil) {
    (row, columns, target) = (nil, 1...max(1, width), nil)
    self.bottom = bottom ?? self.bottom
  }

  mutating func stepBack() { columns = max(1, columns.lowerBound - 1)...max(1, columns.upperBound - 1) }

  /// Follows the cursor over a text that was sent. Terminals disagree about the cursor's place once the last cell of a
  /// row is filled.
  mutating func advance(over text: ArraySlice<UInt8>) {
    let widths = Self.widths(of: text)
    columns = columns.lowerBound + widths.lowerBound...columns.upperBound + widths.upperBound
    if columns.upperBound > width { row = nil }
  }

  /// Returns the numbers of cells that a text in UTF-8 can take.
  private static func widths(of text: ArraySlice<UInt8>) -> ClosedRange<Int> {
    var (least, greatest) = (0, 0)
    for place in text.indices where !(0x80..<0xc0).contains(text[place]) {
      let isOne = text[place] < 0x80 || isLine(text[place...])
      least += isOne ? 1 : 0
      greatest += isOne ? 1 : 2
    }
    return least...greatest
  }

  /// Whether a text begins with a dash, an ellipsis or a similar sign, or a part of a line. All of these take one cell.
  private static func isLine(_ text: ArraySlice<UInt8>) -> Bool {
    let place = text.startIndex
    guard text.count > 2, text[place] == 0xe2 else { return false }
    let (second, third) = (text[place + 1], text[place + 2])
    return second == 0x80 ? (0x90...0xa7).contains(third) : second == 0x94 || second == 0x95
  }
}

// MARK: - Movements

extension CursorTrace {
  /// Adds a short sequence for the next movement, which has then happened.
  mutating func takeMovement(into bytes: inout [UInt8]) {
    guard let target else { return }
    let newRow = target.row == row ? nil : target.row
    if let newRow, row == newRow - 1, row != bottom, let column = target.column ?? onlyFirstColumn {
      // The terminal's mode can make a line feed also return to the first column, so the column is always sent.
      bytes.append(UInt8(ascii: "\n"))
      Self.move(toColumn: column, &bytes)
    } else if let newRow {
      Self.move(toRow: newRow, target.column, &bytes)
    } else if let column = target.column {
      Self.move(toColumn: column, &bytes)
    }
    if let column = target.column { columns = column...column }
    row = target.row ?? row
    self.target = nil
  }

  /// The first column, if the cursor is in no other one.
  private var onlyFirstColumn: Int? { columns == 1...1 ? 1 : nil }

  private static func move(toColumn column: Int, _ bytes: inout [UInt8]) {
    if column == 1 { bytes.append(UInt8(ascii: "\r")) } else { bytes.append(sequence: "G", column) }
  }

  private static func move(toRow row: Int, _ column: Int?, _ bytes: inout [UInt8]) {
    switch (row, column) {
    case (_, nil): bytes.append(sequence: "d", row)
    case (1, 1): bytes.append(sequence: "H")
    case (_, 1): bytes.append(sequence: "H", row)
    case (_, let column): bytes.append(sequence: "H", row, column)
    }
  }
}
