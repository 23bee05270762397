struct Cell: Hashable, Sendable {
  /// The character; a space in the second cell of a wide character.
  var glyph: Glyph
  /// The number of cells that the glyph takes: 1 or 2, or 0 in the second cell of a wide character.
  var width: UInt8
  var style: Style

  init(_ character: Character = " ", width: UInt8 = 1, style: Style = .normal) {
    glyph = Glyph(character)
    self.width = width
    self.style = style
  }

  init(_ glyph: Glyph, style: Style) {
    self.glyph = glyph
    width = 1
    self.style = style
  }

  static let blank = Cell(Glyph.space, style: .normal)

  /// Whether this is the second cell of a wide character.
  var isContinuation: Bool { width == 0 }
}
