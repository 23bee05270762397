/// Finds table headers of a TOML text whose name begins with a character that no name begins with, as in `[é]` or `[!]`.
///
/// The parser (toml++ 3 under TOMLKit 0.6) stops the process at such a header instead of reporting it, so they are looked
/// for before it sees the text. Bytes are looked at, as it does: a mark that sits on a bracket is one character with it to
/// Swift. Where the text is no TOML the parser stops reading, so what comes behind does not matter. Lists that begin a
/// line inside of another list are taken for headers too; no setting has any.
struct TableHeaderCheck {
  /// The first line with such a header, counted from 1; `nil` if there is none.
  static func firstWrongLine(in text: String) -> Int? {
    var check = TableHeaderCheck(rest: text.utf8[...])
    // The parser passes over a byte order mark.
    _ = check.take("\u{feff}")
    return check.findWrongLine()
  }

  private var rest: Substring.UTF8View
  private var line = 1

  private init(rest: Substring.UTF8View) { self.rest = rest }

  private mutating func findWrongLine() -> Int? {
    while !rest.isEmpty {
      if isAtWrongHeader { return line }
      passLine()
    }
    return nil
  }

  /// Whether the line that begins here is such a header.
  private var isAtWrongHeader: Bool {
    var check = self
    check.takeBlanks()
    guard check.take("[") else { return false }
    _ = check.take("[")
    check.takeBlanks()
    return check.rest.first.map(Self.canBegin) != true
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
}

// MARK: - Passing over texts and comments

extension TableHeaderCheck {
  private mutating func take(_ word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private mutating func takeBlanks() { while take(" ") || take("\t") {} }

  private mutating func takeOne() {
    if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
  }

  /// Goes on to the next line that is not inside a text.
  private mutating func passLine() {
    while !rest.isEmpty {
      if take("#") {
        while !rest.isEmpty, rest.first != UInt8(ascii: "\n") { takeOne() }
      } else if take("\"\"\"") {
        passText(until: "\"\"\"", hasEscapes: true)
      } else if take("'''") {
        passText(until: "'''", hasEscapes: false)
      } else if take("\"") {
        passText(until: "\"", hasEscapes: true)
      } else if take("'") {
        passText(until: "'", hasEscapes: false)
      } else {
        let isEnd = rest.first == UInt8(ascii: "\n")
        takeOne()
        if isEnd { return }
      }
    }
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
