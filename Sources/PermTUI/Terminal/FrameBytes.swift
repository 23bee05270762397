/// A filter that shortens the bytes that curses sends for a frame.
///
/// In many terminal descriptions, the sequence that ends all attributes also selects the ASCII character set, in case
/// the line-drawing set was selected. This program never selects another set, so `ESC ( B` can be left out. A sequence
/// that ends only the colour can be left out if the next one ends all attributes.
enum FrameBytes {
  /// `ESC ( B ESC [ m`, which selects the ASCII character set and ends all attributes.
  static let resetWithCharacters = Array("\u{1b}(B\u{1b}[m".utf8)

  private static let characters = Array("\u{1b}(B".utf8)
  private static let colorAndReset = Array("\u{1b}[39m\u{1b}[m".utf8)
  private static let reset = Array("\u{1b}[m".utf8)

  static func shortened(_ bytes: [UInt8]) -> [UInt8] {
    replacing(colorAndReset, by: reset, in: replacing(characters, by: [], in: bytes))
  }

  private static func replacing(_ old: [UInt8], by new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == old[0], bytes[index...].starts(with: old) {
        result += new
        index += old.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
