import CNcurses

/// A measure that agrees with the C library and curses, in the locale of the process.
struct LocaleCellMeasure: CellMeasure {
  /// The maximum number of code points that curses keeps in one cell.
  private static let scalarsPerCell = 5

  func width(of character: Character) -> Int? {
    if character.printableASCII != nil { return 1 }
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return nil }
    let width = first.isASCII ? Self.width(ofASCII: first) : cncurses_wcwidth(wchar_t(first.value))
    guard width == 1 || width == 2 else { return nil }
    if UTF8.width(first) == character.utf8.count { return Int(width) }
    let marks = scalars.dropFirst()
    return marks.count < Self.scalarsPerCell && marks.allSatisfy(Self.isMark) ? Int(width) : nil
  }

  private static func width(ofASCII scalar: Unicode.Scalar) -> Int32 {
    (0x20..<0x7f).contains(scalar.value) ? 1 : 0
  }

  /// Whether a code point is a mark on the character before it. Joiners and variation selectors also modify
  /// that character, but terminals disagree about the width of the result. They therefore do not count as
  /// marks, and never reach the screen.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    let isMark =
      scalar.properties.generalCategory == .nonspacingMark
      || scalar.properties.generalCategory == .enclosingMark
    return isMark && !scalar.properties.isVariationSelector && cncurses_wcwidth(wchar_t(scalar.value)) == 0
  }
}
