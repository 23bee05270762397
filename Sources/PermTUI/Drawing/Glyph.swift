/// The content of one cell: a character of at most six code points, packed into two integers.
///
/// Grids are compared and copied for every frame. A glyph contains no references, so this work only reads and copies
/// plain memory.
struct Glyph: Hashable, Sendable {
  private static let bitsPerScalar: UInt64 = 21
  private static let scalarsPerWord = 3

  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// - Parameter character: The character. Only its first six code points are kept, because no measure allows more in
  ///   one cell.
  init(_ character: Character) {
    if let byte = character.printableASCII {
      low = UInt64(byte)
      return
    }
    for (index, scalar) in character.unicodeScalars.prefix(2 * Self.scalarsPerWord).enumerated() {
      let bits = UInt64(scalar.value) << (UInt64(index % Self.scalarsPerWord) * Self.bitsPerScalar)
      if index < Self.scalarsPerWord { low |= bits } else { high |= bits }
    }
  }

  init(ascii byte: UInt8) { low = UInt64(byte) }

  static var space: Glyph { Glyph(ascii: UInt8(ascii: " ")) }

  /// The glyph's code point, if it has a single one.
  var onlyScalar: Unicode.Scalar? {
    high == 0 && low >> Self.bitsPerScalar == 0 ? Unicode.Scalar(UInt32(low)) : nil
  }

  func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    for word in [low, high] {
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

  private static let table: [Character: Character] = [
    "─": "-", "━": "=", "│": "|", "┃": "|", "‖": "=",
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+",
    "●": "*", "○": "o", "◐": "%", "✕": "x", "✗": "x", "✓": "v", "•": "*", "·": ".",
    "–": "-", "—": "-", "…": "~", "›": ">", "‹": "<", "→": ">", "←": "<", "↑": "^", "↓": "v",
    "▲": "^", "▼": "v", "█": "#", "░": ".", "“": "\"", "”": "\"", "‘": "'", "’": "'", "×": "x", "µ": "u",
  ]
}
