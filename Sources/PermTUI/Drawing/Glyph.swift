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

  /// The glyph's byte, if it is a printable ASCII character.
  var ascii: UInt8? { rest == 0 && (0x20..<0x7f).contains(first) ? UInt8(first) : nil }

  /// Whether terminals show the glyph in one cell, unless they are set up for East Asian text. This holds for Latin
  /// letters and for the program's own signs. For many others, some terminals show a picture that takes two cells.
  var usuallyTakesOneCell: Bool {
    guard let value = onlyScalar?.value else { return false }
    return switch value {
    case 0x20...0x7e, 0xa1...0x2ff, 0x2010...0x2027, 0x2039...0x203a, 0x2190...0x2193: true
    // Parts of lines and of boxes, circles, triangles, check marks and crosses.
    case 0x2500...0x257f, 0x2588, 0x2591, 0x25b2, 0x25bc, 0x25cb, 0x25cf, 0x25d0, 0x2713, 0x2715, 0x2717:
      true
    default: false
    }
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
    "▲": "^", "▼": "v", "█": "#", "░": ".", "“": "\"", "”": "\"", "‘": "'", "’": "'", "×": "x", "µ": "u",
  ]
}
