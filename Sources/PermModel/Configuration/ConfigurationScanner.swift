/// Splits a configuration file's text, byte by byte, into names, values and line ends.
struct ConfigurationScanner {
  /// The limit on the number of keys in a path, and on the depth of nested lists and inline tables.
  private static let deepest = 8

  private let bytes: [UInt8]
  private var index = 0
  /// The line of the next byte, counted from 1.
  private(set) var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    // Some editors begin a file with a byte order mark.
    if bytes.starts(with: "\u{feff}".utf8) { index = 3 }
  }

  /// The next byte; `nil` at the end.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  // MARK: Lines

  /// Moves to the next line with more than blanks and a comment.
  ///
  /// - Returns: `false` at the end of the text.
  mutating func moveToNextLine() -> Bool {
    skipBlankLines()
    return next != nil
  }

  /// Moves past the end of a line that was begun earlier.
  mutating func moveBehindLine(_ begun: Int) {
    while line > begun, index > 0 {
      index -= 1
      if bytes[index] == .newline { line -= 1 }
    }
    while let byte = next, byte != .newline { index += 1 }
  }

  /// Takes the end of a line, with a comment before it.
  mutating func takeLineEnd() throws(ConfigurationMistake) {
    skipBlanks()
    skipComment()
    guard next == nil || next == .newline else {
      throw ConfigurationMistake("only a comment may follow here; write one setting a line")
    }
  }

  private mutating func skipBlankLines() {
    while true {
      skipBlanks()
      skipComment()
      guard next == .newline else { return }
      take()
    }
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == .space || byte == .tab || isReturnOfLineEnd { index += 1 }
  }

  /// Whether the next two bytes are a Windows line end.
  private var isReturnOfLineEnd: Bool {
    next == UInt8(ascii: "\r") && (index + 1 == bytes.count || bytes[index + 1] == .newline)
  }

  private mutating func skipComment() {
    guard next == UInt8(ascii: "#") else { return }
    while let byte = next, byte != .newline { index += 1 }
  }

  private mutating func take() {
    if next == .newline { line += 1 }
    index += 1
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    take()
    return true
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool { take(UInt8(ascii: character)) }

  // MARK: Names

  /// Takes `[a.b]` or `[[a.b]]`.
  mutating func takeHeader() throws(ConfigurationMistake) -> (path: [String], isListed: Bool) {
    _ = take("[")
    let isListed = take("[")
    let path = try takePath()
    let end = isListed ? "]]" : "]"
    for byte in end.unicodeScalars where !take(byte) {
      throw ConfigurationMistake("the name of a table must end with \(end)")
    }
    try takeLineEnd()
    return (path, isListed)
  }

  /// Takes names with dots between them.
  mutating func takePath() throws(ConfigurationMistake) -> [String] {
    var path: [String] = []
    repeat {
      skipBlanks()
      path.append(try takeName())
      skipBlanks()
    } while take(".")
    guard path.count <= Self.deepest else {
      throw ConfigurationMistake("at most \(Self.deepest) names may be joined with dots")
    }
    return path
  }

  private mutating func takeName() throws(ConfigurationMistake) -> String {
    if next == .quote || next == .apostrophe {
      let (begun, name) = (line, try takeText())
      guard line == begun else { throw ConfigurationMistake("a name must be in one line") }
      return name
    }
    let name = takeWord { $0.isInName }
    guard !name.isEmpty else {
      throw ConfigurationMistake(
        "a name is missing; names have a to z, 0 to 9, - and _, or quotes around them")
    }
    return name
  }

  private mutating func takeWord(while belongs: (UInt8) -> Bool) -> String {
    let start = index
    while let byte = next, belongs(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  // MARK: Values

  /// Takes `= value`.
  mutating func takeAssignedValue() throws(ConfigurationMistake) -> ConfigurationValue {
    skipBlanks()
    guard take("=") else { throw ConfigurationMistake("= and a value must follow the name") }
    skipBlanks()
    return try takeValue(depth: 1)
  }

  private mutating func takeValue(depth: Int) throws(ConfigurationMistake) -> ConfigurationValue {
    guard depth <= Self.deepest else {
      throw ConfigurationMistake("lists and tables may be at most \(Self.deepest) deep inside each other")
    }
    switch next {
    case .quote, .apostrophe: return .text(try takeText())
    case UInt8(ascii: "["): return .list(try takeList(depth: depth))
    case UInt8(ascii: "{"): return .table(try takeInlineTable(depth: depth))
    default: return try takeBareValue()
    }
  }

  private mutating func takeBareValue() throws(ConfigurationMistake) -> ConfigurationValue {
    let word = takeWord { $0.isInBareValue }
    switch word {
    case "": throw ConfigurationMistake("a value is missing")
    case "true": return .flag(true)
    case "false": return .flag(false)
    default: break
    }
    if let number = Int(word.filter { $0 != "_" }), word.last != "_", word.first != "_" {
      return .integer(number)
    }
    throw ConfigurationMistake(
      "\(word) is neither a whole number nor true or false; write text in quotes: \"\(word)\"")
  }

  private mutating func takeList(depth: Int) throws(ConfigurationMistake) -> [ConfigurationValue] {
    _ = take("[")
    var values: [ConfigurationValue] = []
    while true {
      skipBlankLines()
      if take("]") { return values }
      values.append(try takeValue(depth: depth + 1))
      skipBlankLines()
      guard take(",") || next == UInt8(ascii: "]") else {
        throw ConfigurationMistake("the list needs a comma between its values, and ] at its end")
      }
    }
  }

  private mutating func takeInlineTable(depth: Int) throws(ConfigurationMistake) -> ConfigurationEntries {
    _ = take("{")
    var entries = ConfigurationEntries()
    skipBlanks()
    if take("}") { return entries }
    repeat {
      let path = try takePath()
      guard take("=") else { throw ConfigurationMistake("= and a value must follow the name") }
      skipBlanks()
      try entries.insert(try takeValue(depth: depth + 1), at: path[...])
      skipBlanks()
    } while take(",")
    guard take("}") else {
      throw ConfigurationMistake("the table needs a comma between its settings, and } at its end")
    }
    return entries
  }

  // MARK: Text

  private mutating func takeText() throws(ConfigurationMistake) -> String {
    guard let mark = next else { return "" }
    let isLong = bytes[index...].starts(with: [mark, mark, mark])
    for _ in 0..<(isLong ? 3 : 1) { take() }
    // A line end right after the opening quotes does not belong to the text.
    if isLong { takeNewline() }
    var text: [UInt8] = []
    while let byte = next, byte >= .space || byte == .tab || isLong && isAtNewline, byte != 0x7f {
      if byte == mark, isLong ? takeLongEnd(mark, &text) : take(mark) {
        return String(decoding: text, as: UTF8.self)
      }
      take()
      if byte == UInt8(ascii: "\\"), mark == .quote {
        try takeEscape(isLong: isLong, &text)
      } else {
        text.append(byte)
      }
    }
    let end = String(repeating: Character(UnicodeScalar(mark)), count: isLong ? 3 : 1)
    throw ConfigurationMistake("the text has no \(end) at its end, or a control character inside")
  }

  /// Takes the three quotes that end a multi-line text; up to two more quotes before them belong to the text.
  private mutating func takeLongEnd(_ mark: UInt8, _ text: inout [UInt8]) -> Bool {
    let run = bytes[index...].prefix(5).prefix { $0 == mark }.count
    guard run >= 3 else { return false }
    index += run
    text += repeatElement(mark, count: run - 3)
    return true
  }

  private var isAtNewline: Bool { next == .newline || isReturnOfLineEnd }

  private mutating func takeNewline() {
    if isReturnOfLineEnd { index += 1 }
    if next == .newline { take() }
  }

  /// Takes the rest of an escape after its backslash: a letter for a character, or a line end, which joins two lines of
  /// a multi-line text.
  private mutating func takeEscape(isLong: Bool, _ text: inout [UInt8]) throws(ConfigurationMistake) {
    var rest = self
    rest.skipBlanks()
    guard isLong, rest.next == .newline else {
      text += String(try takeEscapedScalar()).utf8
      return
    }
    while let byte = next, byte == .newline || byte == .space || byte == .tab || isReturnOfLineEnd { take() }
  }

  private mutating func takeEscapedScalar() throws(ConfigurationMistake) -> Unicode.Scalar {
    let letter = next
    if letter != nil, letter != .newline { take() }
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "u"): return try takeScalar(digits: 4)
    case UInt8(ascii: "U"): return try takeScalar(digits: 8)
    default: throw ConfigurationMistake("a backslash must be written twice in \"…\"; in '…' it needs nothing")
    }
  }

  private mutating func takeScalar(digits: Int) throws(ConfigurationMistake) -> Unicode.Scalar {
    let word = String(decoding: bytes[index...].prefix(digits), as: UTF8.self)
    let isHex = word.utf8.count == digits && word.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    guard isHex, let number = UInt32(word, radix: 16), let scalar = Unicode.Scalar(number) else {
      throw ConfigurationMistake("\\u must be followed by 4 digits of a character, \\U by 8")
    }
    index += digits
    return scalar
  }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n")
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let tab = UInt8(ascii: "\t")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let apostrophe = UInt8(ascii: "'")

  /// Whether a name without quotes may contain the byte.
  fileprivate var isInName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether the byte may be part of a value without quotes.
  fileprivate var isInBareValue: Bool { self > .space && self != 0x7f && !",[]{}#=\"'".utf8.contains(self) }
}
