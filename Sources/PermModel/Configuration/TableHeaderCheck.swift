/// Finds table headers of a TOML text whose name begins with a character that no name begins with, as in `[é]` or `[!]`.
///
/// The parser (toml++ 3 under TOMLKit 0.6) stops the process at such a header instead of reporting it, so they are looked
/// for before it sees the text. Lists that begin a line inside of another list are taken for headers too; no setting has
/// any.
enum TableHeaderCheck {
  /// The first line with such a header, counted from 1; `nil` if there is none.
  static func firstWrongLine(in text: String) -> Int? {
    var isInText = false
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if !isInText, isWrongHeader(line) { return index + 1 }
      if delimiterCount(in: line) % 2 == 1 { isInText.toggle() }
    }
    return nil
  }

  private static func isWrongHeader(_ line: Substring) -> Bool {
    let blanks: Set<Character> = [" ", "\t"]
    var rest = line.drop { blanks.contains($0) }
    guard rest.first == "[" else { return false }
    rest = rest.dropFirst()
    rest = rest.first == "[" ? rest.dropFirst() : rest.drop { blanks.contains($0) }
    guard let first = rest.drop(while: { blanks.contains($0) }).unicodeScalars.first else { return true }
    return !canFollow(first)
  }

  /// What a name begins with, and what the parser reports by itself.
  private static func canFollow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\"", "'", "]": true
    default: false
    }
  }

  /// How often a text of several lines begins or ends in a line.
  private static func delimiterCount(in line: Substring) -> Int {
    line.ranges(of: "\"\"\"").count + line.ranges(of: "'''").count
  }
}
