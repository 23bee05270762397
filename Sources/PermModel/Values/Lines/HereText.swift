/// A text that a line writes as a here-document within quotation marks:
///
///     git commit -m "$(cat <<'EOF'
///     Fix it
///     EOF
///     )"
///
/// All shells read it as one word if no line of the text begins with the mark at its end.
enum HereText {
  private static let start = Array("\"$(cat <<'".utf8)

  /// Returns a line with an empty word in quotation marks in place of such a text. The line is returned as it is if it
  /// contains none, or one that shells could read in different ways.
  static func quoted(in line: String) -> String {
    let bytes = Array(line.utf8)
    guard let range = bytes.firstRange(of: start), range.lowerBound > 0, bytes[range.lowerBound - 1].isBlank,
      !bytes[..<range.lowerBound].contains(where: Array("'\"".utf8).contains),
      let end = end(of: bytes[range.upperBound...])
    else { return line }
    let rest = bytes[end...]
    guard rest.first.map(\.isBlank) ?? true else { return line }
    return String(decoding: bytes[..<range.lowerBound] + Array("'text'".utf8) + rest, as: UTF8.self)
  }

  /// Returns the place behind the text; `nil` if it is not certain.
  ///
  /// - Parameter bytes: The line from the mark on.
  private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    let mark = bytes.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    guard !mark.isEmpty, bytes[mark.endIndex...].starts(with: "'\n".utf8) else { return nil }
    var rest = bytes[(mark.endIndex + 2)...]
    while let line = rest.firstIndex(of: UInt8(ascii: "\n")).map({ rest[..<$0] }) {
      rest = rest[line.endIndex...].dropFirst()
      if line.elementsEqual(mark) {
        let close = rest.drop { $0 == UInt8(ascii: " ") }
        return close.starts(with: ")\"".utf8) ? close.startIndex + 2 : nil
      }
      let isPlain = line.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
      guard isPlain, !line.drop(while: \.isBlank).starts(with: mark) else { return nil }
    }
    return nil
  }
}
