import PermModel

extension VisibleText {
  /// `text` made safe to show, with every character that the terminal cannot show written as an escape too.
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
