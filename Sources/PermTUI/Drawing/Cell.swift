struct Cell: Hashable, Sendable {
  /// The character; none in the second cell of a wide character.
  var glyph: Glyph
  var style: Style

  init(_ character: Character = " ", style: Style = .normal) { self.init(Glyph(character), style: style) }

  init(_ glyph: Glyph, style: Style) {
    self.glyph = glyph
    self.style = style
  }

  static let blank = Cell(Glyph.space, style: .normal)

  /// Whether this is the second cell of a wide character.
  var isContinuation: Bool { glyph == .none }
}
