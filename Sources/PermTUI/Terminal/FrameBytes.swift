/// A filter that shortens the bytes that curses sends for a frame.
///
/// In many terminal descriptions, the sequence that ends all attributes also selects the ASCII character set, in case
/// the line-drawing set was selected. This program never selects another set, so `ESC ( B` can be left out. Sequences
/// for attributes that directly follow one another become one, without the attributes that the last reset among them
/// ends.
enum FrameBytes {
  /// `ESC ( B ESC [ m`, which selects the ASCII character set and ends all attributes.
  static let resetWithCharacters = Array("\u{1b}(B\u{1b}[m".utf8)

  private static let escape: UInt8 = 0x1b
  private static let characters = Array("\u{1b}(B".utf8)
  private static let start = Array("\u{1b}[".utf8)

  static func shortened(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    var attributes: ArraySlice<UInt8>?
    while let byte = rest.first {
      if byte == escape, rest.starts(with: characters) {
        rest = rest.dropFirst(characters.count)
      } else if byte == escape, let parameters = takeAttributes(from: &rest) {
        attributes = joined(attributes, parameters)
      } else {
        if let parameters = attributes.take() { result += start + parameters + [UInt8(ascii: "m")] }
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    if let attributes { result += start + attributes + [UInt8(ascii: "m")] }
    return result
  }

  /// Removes a sequence for attributes from the beginning of `bytes`, and returns its parameters; `nil` if there is
  /// none.
  private static func takeAttributes(from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard bytes.starts(with: start) else { return nil }
    let parameters = bytes.dropFirst(start.count).prefix { $0 < UInt8(ascii: "<") }
    guard bytes[parameters.endIndex...].first == UInt8(ascii: "m") else { return nil }
    bytes = bytes[(parameters.endIndex + 1)...]
    return parameters
  }

  /// Returns the parameters of one sequence with the effect of two, the second of which can begin with a reset.
  private static func joined(_ one: ArraySlice<UInt8>?, _ two: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let resets = two.isEmpty || two.first == UInt8(ascii: "0") || two.first == UInt8(ascii: ";")
    guard let one, !resets else { return two }
    return (one.isEmpty ? [UInt8(ascii: "0")] : one) + [UInt8(ascii: ";")] + two
  }
}
