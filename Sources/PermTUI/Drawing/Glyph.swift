/// The content of one cell: a character of at most five code points, packed into integers.
///
/// Grids are compared and copied for every frame. A glyph contains no references, so this work only reads and copies
/// plain memory.
struct Glyph: Hashable, Sendable {
  private static let bitsPerScalar: UInt64 = 21
  private static let mostScalars = 5

  /// The first three code points.
  private(set) var first: UInt64 = 0
  /// The others, in 42 bits.
  private(set) var rest: UInt64 = 0

  /// - Parameter character: The character. Only its first five code points are kept, because no measure allows more in
  ///   one cell.
  init(_ character: Character) {
    let scalars = character.unicodeScalars
    if let only = scalars.first, UTF8.width(only) == character.utf8.count {
      first = UInt64(only.value)
      return
    }
    for (place, scalar) in scalars.prefix(Self.mostScalars).enumerated() {
      let bits = UInt64(scalar.value) << (UInt64(place % 3) * Self.bitsPerScalar)
      if place < 3 { first |= bits } else { rest |= bits }
    }
  }

  init(ascii byte: UInt8) { first = UInt64(byte) }

  init(first: UInt64 = 0, rest: UInt64 = 0) {
    self.first = first
    self.rest = rest
  }

  static var space: Glyph { Glyph(ascii: UInt8(ascii: " ")) }

  /// No character.
  static var none: Glyph { Glyph() }

  /// The glyph's code point, if it has a single one.
  var onlyScalar: Unicode.Scalar? {
    rest == 0 && first >> Self.bitsPerScalar == 0 ? Unicode.Scalar(UInt32(first)) : nil
  }

  func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    for word in [first, rest] {
      var rest = word
      while rest != 0 {
        if let scalar = Unicode.Scalar(UInt32(rest & ((1 << Self.bitsPerScalar) - 1))) { body(scalar) }
        rest >>= Self.bitsPerScalar
      }
    }
  }
}

/// The ASCII replacements for the program's own drawing characters, for terminals that cannot show them. A
/// replacement takes one cell, like the character that it replaces, so the layout does not change.
enum ASCIIFallback {
  /// Returns the replacement for one of the program's drawing characters; `nil` for every other character.
  static func standIn(for character: Character) -> Character? { table[character] }

  static let table: [Character: Character] = [
    "─": "-", "━": "=", "│": "|", "┃": "|", "‖": "=",
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+",
    "●": "*", "○": "o", "◐": "%", "✕": "x", "✗": "x", "✓": "v", "•": "*", "·": ".",
    "–": "-", "—": "-", "…": "~", "›": ">", "‹": "<", "→": ">", "←": "<", "↑": "^", "↓": "v",
    "▲": "^", "▼": "v", "█": "#", "▁": ".", "▃": ":", "▅": "+", "░": ".", "“": "\"", "”": "\"", "‘": "'",
    "’": "'", "×": "x", "µ": "u",
  ]
}
