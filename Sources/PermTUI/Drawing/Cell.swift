/// One cell of a grid.
struct Cell: Hashable, Sendable {
  /// What is drawn; a space in the second cell of a wide character.
  var glyph: Glyph
  /// The cells that the glyph takes: 1, 2, or 0 for the second cell of a wide one.
  var width: UInt8
  var style: Style

  init(_ character: Character = " ", width: UInt8 = 1, style: Style = .normal) {
    glyph = character == " " ? Self.space : Glyph(character)
    self.width = width
    self.style = style
  }

  init(_ glyph: Glyph, style: Style) {
    self.glyph = glyph
    width = 1
    self.style = style
  }

  private static let space = Glyph(" ")
  static let blank = Cell()

  var character: Character { glyph.character }

  /// True for the second cell of a wide character.
  var isContinuation: Bool { width == 0 }
}
