import PermModel

/// Measures the number of cells that a character takes on the screen. Views lay out with the measure that the terminal
/// library itself uses, so both always agree; it is injected to keep views free of that library.
///
/// By any measure, every printable ASCII character takes one cell.
protocol CellMeasure: Sendable {
  /// Returns the number of cells that `character` takes: one or two, or nil if one cell cannot show it (control and
  /// zero-width characters, joined emoji, everything outside ASCII if the locale is not UTF-8).
  func width(of character: Character) -> Int?
}

extension CellMeasure {
  /// Returns the number of cells that `text` takes on a grid.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  func width(of text: some StringProtocol) -> Int {
    text.isPrintableASCII ? text.utf8.count : text.reduce(0) { $0 + (width(of: $1) ?? 1) }
  }
}

extension StringProtocol {
  /// Whether each byte is one character of one cell. Most text is like that, and need not be split into characters.
  var isPrintableASCII: Bool { utf8.allBytes { (0x20..<0x7f).contains($0) } }
}

/// ASCII only: every printable ASCII character takes one cell, and no other character can be shown.
struct ASCIICellMeasure: CellMeasure {
  func width(of character: Character) -> Int? { String(character).isPrintableASCII ? 1 : nil }
}

extension VisibleText {
  /// Returns `text` made safe to show, with every character that the terminal cannot show escaped too.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  static func escaped(_ text: some StringProtocol, measure: any CellMeasure) -> String {
    if isPlain(text) { return String(text) }
    return escaped(text).reduce(into: "") { result, character in
      if measure.width(of: character) == nil {
        result += character.unicodeScalars.map { $0.isASCII ? String($0) : escape($0) }.joined()
      } else {
        result.append(character)
      }
    }
  }
}
