/// A text that a line writes as a here-document within quotation marks:
///
///     git commit -m "$(cat <<'EOF'
///     Fix it
///     EOF
///     )"
///
/// All shells read it as one word if no line of the text begins with the mark at its end.
struct HereText {
  /// The text.
  let body: ArraySlice<UInt8>
  /// The place behind the quotation mark that closes the word.
  let end: Int

  private static let start = Array("\"$(cat <<'".utf8)

  /// Reads the text at the beginning of some bytes; `nil` if there is none, or if shells could read it in different ways.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.starts(with: Self.start) else { return nil }
    let text = bytes.dropFirst(Self.start.count)
    let mark = text.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    guard !mark.isEmpty, bytes[mark.endIndex...].starts(with: "'\n".utf8) else { return nil }
    var rest = bytes[(mark.endIndex + 2)...]
    while let line = rest.firstIndex(of: UInt8(ascii: "\n")).map({ rest[..<$0] }) {
      rest = rest[line.endIndex...].dropFirst()
      if line.elementsEqual(mark) {
        let close = rest.drop { $0 == UInt8(ascii: " ") }
        guard close.starts(with: ")\"".utf8) else { return nil }
        (body, end) = (bytes[(mark.endIndex + 2)..<line.startIndex], close.startIndex + 2)
        return
      }
      let isPlain = line.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
      guard isPlain, !line.drop(while: \.isBlank).starts(with: mark) else { return nil }
    }
    return nil
  }
}
