/// Text that a request shows and that a decision never covers, such as a change to a file. It is untrusted.
package struct ShownDetails: Hashable, Sendable, Codable {
  package var text: String
  /// The number of lines that were left out at the end, because the text was too long.
  package var linesLeftOut: Int

  /// The greatest length of the text, in bytes.
  package static let longest = 8 << 10
  /// The maximum number of lines that are shown of a longer text.
  package static let mostLinesOfLongText = 100

  package init(_ text: String, linesLeftOut: Int = 0) {
    self.text = text
    self.linesLeftOut = linesLeftOut
  }

  /// Creates details from a text of any length. A text that is too long is shortened to its first lines. A line that is
  /// too long by itself is cut, and counts as left out.
  package init(shortening text: String) {
    let newline = UInt8(ascii: "\n")
    let whole = text.utf8.last == newline ? Substring(text.utf8.dropLast()) : Substring(text)
    guard whole.utf8.count > Self.longest else {
      self.init(String(whole))
      return
    }
    let lines = whole.utf8.split(separator: newline, omittingEmptySubsequences: false)
    var length = -1
    let fitting = lines.prefix(Self.mostLinesOfLongText).prefix { line in
      length += line.count + 1
      return length <= Self.longest
    }
    let shown = fitting.map { String(Substring($0)) }.joined(separator: "\n")
    self.init(
      fitting.isEmpty ? Self.beginning(of: Substring(lines[0])) : shown,
      linesLeftOut: lines.count - fitting.count)
  }

  private static func beginning(of line: Substring) -> String {
    var (scalars, length) = (String.UnicodeScalarView(), 0)
    for scalar in line.unicodeScalars {
      length += UTF8.width(scalar)
      guard length <= longest else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
