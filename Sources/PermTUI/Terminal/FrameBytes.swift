/// A filter that shortens the bytes that curses sends for a frame.
///
/// In many terminal descriptions, the sequence that ends all attributes also selects the ASCII character set, in case
/// the line-drawing set was selected. This program never selects another set, so `ESC ( B` can be left out. Sequences
/// for attributes that directly follow one another become one, without the attributes that the last reset among them
/// ends.
enum FrameBytes {
  /// `ESC ( B ESC [ m`, which selects the ASCII character set and ends all attributes.
  static let resetWithCharacters = Array("\u{1b}(B\u{1b}[m".utf8)

  private static let escape = UInt8(ascii: "\u{1b}")
  private static let characters = Array("\u{1b}(B".utf8)
  private static let start = Array("\u{1b}[".utf8)

  static func shortened(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      if let attributes = takeAttributes(bytes, at: &place) {
        result += start
        result += attributes
        result.append(UInt8(ascii: "m"))
      }
      // The byte here belongs to no such sequence, even if it is an escape.
      let next = bytes[place...].dropFirst().firstIndex(of: escape) ?? bytes.count
      result += bytes[place..<next]
      place = next
    }
    return result
  }

  /// Passes all sequences at `place` that concern attributes or the character set, and returns the parameters of one
  /// sequence with the effect of those for attributes; `nil` if there are none.
  private static func takeAttributes(_ bytes: [UInt8], at place: inout Int) -> ArraySlice<UInt8>? {
    var attributes: ArraySlice<UInt8>?
    while place < bytes.count, bytes[place] == escape {
      if bytes[place...].starts(with: characters) {
        place += characters.count
      } else if let parameters = parameters(bytes, at: place) {
        attributes = joined(attributes, parameters)
        place = parameters.endIndex + 1
      } else {
        break
      }
    }
    return attributes
  }

  /// Returns the parameters of the sequence for attributes at `place`; `nil` if there is none.
  private static func parameters(_ bytes: [UInt8], at place: Int) -> ArraySlice<UInt8>? {
    guard bytes[place...].starts(with: start) else { return nil }
    let parameters = bytes[(place + start.count)...].prefix { $0 < UInt8(ascii: "<") }
    return parameters.endIndex < bytes.count && bytes[parameters.endIndex] == UInt8(ascii: "m")
      ? parameters : nil
  }

  /// Returns the parameters of one sequence with the effect of two, the second of which can begin with a reset.
  private static func joined(_ one: ArraySlice<UInt8>?, _ two: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let resets = two.isEmpty || two.first == UInt8(ascii: "0") || two.first == UInt8(ascii: ";")
    guard let one, !resets else { return two }
    return (one.isEmpty ? [UInt8(ascii: "0")] : one) + [UInt8(ascii: ";")] + two
  }
}
