/// One cell of a grid, in two words of plain memory. Grids are compared and copied for every frame.
struct Cell: Hashable, Sendable {
  /// The first three code points of the glyph.
  private var first: UInt64
  /// The glyph's other code points, followed by the style.
  private var rest: UInt64

  init(_ character: Character = " ", style: Style = .normal) { self.init(Glyph(character), style: style) }

  init(_ glyph: Glyph, style: Style) {
    first = glyph.first
    rest = glyph.rest | Self.bits(of: style)
  }

  static let blank = Cell(Glyph.space, style: .normal)

  /// The character; none in the second cell of a wide character.
  var glyph: Glyph {
    Glyph(first: first, rest: rest & Self.glyphBits)
  }

  var style: Style {
    get { Style(bits: UInt16(truncatingIfNeeded: rest >> Self.styleShift)) }
    set { rest = rest & Self.glyphBits | Self.bits(of: newValue) }
  }

  /// Whether this is the second cell of a wide character.
  var isContinuation: Bool { glyph == .none }

  private static var styleShift: UInt64 { 48 }
  private static var glyphBits: UInt64 { 1 << styleShift - 1 }

  private static func bits(of style: Style) -> UInt64 { UInt64(style.bits) << styleShift }

  /// Whether no part of the cell is drawn, whatever its colour.
  var isPlainBlank: Bool {
    first == Glyph.space.first
      && rest & (Self.glyphBits | Self.bits(of: Style(reverse: true, underline: true))) == 0
  }

  /// Whether both cells look the same.
  func looksLike(_ other: Cell) -> Bool { self == other || (isPlainBlank && other.isPlainBlank) }
}
