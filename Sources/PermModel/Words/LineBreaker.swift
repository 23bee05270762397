/// Breaks long lines, so that a terminal that is used line by line never has to wrap one.
///
/// If the terminal broke a line, the rest would begin in the first column, where untrusted text could look like another
/// fact. Here, every such rest begins with a mark, and the first column always belongs to PermTUI's own words.
package struct LineBreaker {
  /// The beginning of each line that continues the line before it.
  package static let mark = "  | "
  /// The width of lines for a terminal whose own width is unknown.
  private static let usualWidth = 72

  private let limit: Int
  private let cells: (Character) -> Int

  /// - Parameters:
  ///   - width: The number of columns of the terminal; `nil` if it is unknown.
  ///   - cells: Returns the number of cells that a character takes, or more.
  package init(width: Int?, cells: @escaping (Character) -> Int = { ForeignText.cells(of: String($0)) }) {
    // Some terminals add an empty line after a line that fills their last column.
    limit = max(Self.mark.count + 2, width.map { $0 - 1 } ?? Self.usualWidth)
    self.cells = cells
  }

  /// Returns the text in lines that fit.
  package func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap(broken)
  }

  private func broken(_ line: Substring) -> [String] {
    // Most lines are short and ASCII, so they need not be measured character by character.
    if line.utf8.count <= limit, line.utf8.allSatisfy({ $0 < 0x80 }) { return [String(line)] }
    var (lines, rest, lead) = ([String](), line, "")
    while let end = end(of: rest, in: limit - lead.count) {
      lines.append(lead + rest[..<end])
      (rest, lead) = (rest[end...], Self.mark)
    }
    return lines + [lead + rest]
  }

  /// Returns the position at which a text must be broken, after a blank unless that would leave most of the line empty.
  /// Returns `nil` if the text fits.
  private func end(of text: Substring, in room: Int) -> String.Index? {
    var (used, blank) = (0, (end: text.startIndex, used: 0))
    for index in text.indices {
      used += cells(text[index])
      if used > room {
        return blank.used > room / 2 ? blank.end : max(index, text.index(after: text.startIndex))
      }
      if text[index] == " " { blank = (text.index(after: index), used) }
    }
    return nil
  }
}
