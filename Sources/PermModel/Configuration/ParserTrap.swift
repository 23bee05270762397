/// Something in a TOML text that the parser (toml++ 3 under TOMLKit 0.6) stops the process for instead of reporting it.
///
/// There are three: a table's name that begins with what no name begins with, as in `[é]`; a list that is closed as in
/// `[}`; and a date with half a time of day behind it. The first of each is found before the parser sees the text. Bytes
/// are looked at, as it does: a mark that sits on a bracket is one character with it to Swift. Where the text is no TOML
/// the parser stops reading, so what comes behind does not matter. What is valid but taken for a trap here, no setting
/// needs: lists that begin a line inside of another list, and dates.
struct ParserTrap: Hashable {
  /// Counted from 1.
  var line: Int
  var message: String

  /// The first in a text; `nil` if there is none.
  init?(in text: String) {
    var search = Search(rest: text.utf8[...])
    // The parser passes over a byte order mark.
    _ = search.take("\u{feff}")
    while !search.rest.isEmpty {
      guard let message = search.isAtWrongHeader ? Self.wrongHeader : search.passLine() else { continue }
      self.init(line: search.line, message: message)
      return
    }
    return nil
  }

  private init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  private static let wrongHeader =
    "a table's name begins with a letter of a to z, a digit, - or _, or stands in quotes"
  fileprivate static let wrongEnd = "a list ends with ]"
  fileprivate static let date = "a date stands in quotes"
}

/// Goes through a text, line by line.
private struct Search {
  var rest: Substring.UTF8View
  var line = 1
  /// What stood last outside of texts and comments, blanks aside.
  private var before = newline

  private static let newline = UInt8(ascii: "\n")

  init(rest: Substring.UTF8View) { self.rest = rest }

  /// Whether the line that begins here is the header of a table with a name that none has.
  var isAtWrongHeader: Bool {
    var search = self
    search.takeBlanks()
    guard search.take("[") else { return false }
    _ = search.take("[")
    search.takeBlanks()
    return search.rest.first.map(Self.canBegin) != true
  }

  /// What a name begins with, and what the parser reports by itself.
  private static func canBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_\"']".utf8.contains(byte)
    }
  }

  /// Goes on to the next line that does not begin inside of a text.
  ///
  /// - Returns: what is wrong, if it comes to a trap.
  mutating func passLine() -> String? {
    while let byte = rest.first {
      if passComment() || passText() { continue }
      let isLineEnd = byte == Self.newline
      let word = rest.prefix(while: Self.isInWord)
      if byte == UInt8(ascii: "}"), "[,".utf8.contains(before) { return ParserTrap.wrongEnd }
      if Self.isDate(word) { return ParserTrap.date }
      if !Self.isBlank(byte) { before = byte }
      if word.isEmpty { takeOne() } else { rest = rest.dropFirst(word.count) }
      if isLineEnd { return nil }
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

  /// Whether a byte is part of a number, a date or a bare name.
  private static func isInWord(_ byte: UInt8) -> Bool { !isBlank(byte) && !",[]{}#=\"'".utf8.contains(byte) }

  /// Whether the parser may take it for a date: it passes over underscores, and counts the rest.
  private static func isDate(_ word: Substring.UTF8View) -> Bool {
    guard let first = word.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    let start = String(decoding: word, as: UTF8.self).unicodeScalars.filter { $0 != "_" }.prefix(8)
    let dashes = start.enumerated().filter { $0.element == "-" }.map(\.offset)
    return start.count == 8 && dashes.contains(4) && dashes.contains(7)
  }
}

// MARK: - Steps

extension Search {
  mutating func take(_ word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private mutating func takeBlanks() { while take(" ") || take("\t") {} }

  private mutating func takeOne() {
    if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
  }

  private mutating func passComment() -> Bool {
    guard take("#") else { return false }
    while !rest.isEmpty, rest.first != UInt8(ascii: "\n") { takeOne() }
    return true
  }

  /// Passes over a text in quotes; `false` where none begins.
  private mutating func passText() -> Bool {
    for (end, hasEscapes) in [("\"\"\"", true), ("'''", false), ("\"", true), ("'", false)] where take(end) {
      passText(until: end, hasEscapes: hasEscapes)
      before = UInt8(ascii: "\"")
      return true
    }
    return false
  }

  private mutating func passText(until end: String, hasEscapes: Bool) {
    while !rest.isEmpty {
      if hasEscapes, take("\\") {
        takeOne()
      } else if take(end) {
        // A text of several lines may end in two quotes of its own.
        if end.utf8.count == 3 { for _ in 0..<2 { _ = take(String(end.prefix(1))) } }
        return
      } else {
        takeOne()
      }
    }
  }
}
