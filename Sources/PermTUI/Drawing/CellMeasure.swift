import PermModel

/// Measures the number of cells that a character takes on the screen. Views and the terminal library always agree
/// because they use the same measure. It is injected, so the views do not depend on that library.
///
/// Under every measure, a printable ASCII character takes one cell.
protocol CellMeasure: Sendable {
  /// Returns the number of cells that `character` takes: one or two, or `nil` if it cannot be shown in a cell. The
  /// result is `nil` for control and zero-width characters, for joined emoji and, if the locale is not UTF-8, for every
  /// character outside ASCII.
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
  /// Whether every byte is a printable ASCII character, which takes one cell. Such a string can be measured without
  /// splitting it into characters, and most strings are like this.
  var isPrintableASCII: Bool { utf8.allBytes { (0x20..<0x7f).contains($0) } }
}

/// A measure for terminals that show only ASCII: every printable ASCII character takes one cell, and no other
/// character can be shown.
struct ASCIICellMeasure: CellMeasure {
  func width(of character: Character) -> Int? { String(character).isPrintableASCII ? 1 : nil }
}

extension VisibleText {
  /// Returns `text` with escapes for all characters that could deceive the reader or that the terminal cannot show.
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
