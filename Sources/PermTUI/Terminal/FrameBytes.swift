/// Shortens the bytes that curses sends for a frame.
///
/// Many descriptions end attributes with a sequence that also selects the ASCII characters, in case others were
/// selected for drawing lines. This program never selects others. And once all attributes have ended, the colour need
/// not be ended separately.
enum FrameBytes {
  /// `ESC ( B ESC [ m`, the end of all attributes and the ASCII characters.
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
