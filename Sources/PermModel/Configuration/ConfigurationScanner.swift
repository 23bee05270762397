/// A scanner that splits the content of a configuration file into names, values and newlines.
struct ConfigurationScanner {
  /// The limit on the number of keys in a path, and on the depth of nested lists and inline tables.
  private static let deepest = 8

  private let text: [Unicode.Scalar]
  private var index = 0
  /// The number of the line that contains the next character, counted from 1.
  private(set) var line = 1

  init(_ text: String) {
    let text = text.replacing("\r\n", with: "\n").unicodeScalars
    // Some editors begin a file with a byte order mark, which is not part of the content.
    self.text = Array(text.first == "\u{feff}" ? text.dropFirst() : text[...])
  }

  /// The next character; `nil` at the end of the input.
  var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

  // MARK: Lines

  /// Moves to the next line that contains something other than whitespace or a comment.
  ///
  /// - Returns: `false` if there is no such line.
  mutating func moveToNextLine() -> Bool {
    skipBlankLines()
    return next != nil
  }

  /// Moves to the end of the line.
  mutating func skipLine() { skip { $0 != "\n" } }

  /// Consumes the rest of a line, which must be empty except for a comment.
  mutating func takeLineEnd() throws(ConfigurationMistake) {
    skipBlanks()
    skipComment()
    guard next == nil || next == "\n" else {
      throw ConfigurationMistake("only a comment may follow here; write one setting a line")
    }
  }

  private mutating func skipBlankLines() {
    repeat {
      skipBlanks()
      skipComment()
    } while take("\n")
  }

  private mutating func skipBlanks() { skip { $0 == " " || $0 == "\t" } }

  private mutating func skipComment() {
    if next == "#" { skipLine() }
  }

  private mutating func skip(while belongs: (Unicode.Scalar) -> Bool) {
    while let next, belongs(next) { take() }
  }

  private mutating func take() {
    if next == "\n" { line += 1 }
    index += 1
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == character else { return false }
    take()
    return true
  }

  private mutating func takeWord(while belongs: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    skip(while: belongs)
    return text[start..<index].string
  }

  // MARK: Names

  /// Consumes `[a.b]` or `[[a.b]]`, and the rest of the line.
  mutating func takeHeader() throws(ConfigurationMistake) -> (path: [String], isListed: Bool) {
    _ = take("[")
    let isListed = take("[")
    let path = try takePath()
    let end = isListed ? "]]" : "]"
    for character in end.unicodeScalars where !take(character) {
      throw ConfigurationMistake("the name of a table must end with \(end)")
    }
    try takeLineEnd()
    return (path, isListed)
  }

  /// Consumes names that are joined with dots.
  private mutating func takePath() throws(ConfigurationMistake) -> [String] {
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
    if next == "\"" || next == "'" {
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

  // MARK: Values

  /// Consumes `path = value`.
  mutating func takeSetting(
    depth: Int = 1
  ) throws(ConfigurationMistake) -> (path: [String], value: ConfigurationValue) {
    let path = try takePath()
    guard take("=") else { throw ConfigurationMistake("= and a value must follow the name") }
    skipBlanks()
    return (path, try takeValue(depth: depth))
  }

  private mutating func takeValue(depth: Int) throws(ConfigurationMistake) -> ConfigurationValue {
    guard depth <= Self.deepest else {
      throw ConfigurationMistake("lists and tables may be at most \(Self.deepest) deep inside each other")
    }
    switch next {
    case "\"", "'": return .text(try takeText())
    case "[": return .list(try takeList(depth: depth))
    case "{": return .table(try takeInlineTable(depth: depth))
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
    if let number = Self.wholeNumber(word) { return .integer(number) }
    throw ConfigurationMistake(
      "\(word) is neither a whole number nor true or false; write text in quotes: \"\(word)\"")
  }

  /// Reads a number as TOML writes it: no zero stands before other digits, and `_` only between digits.
  private static func wholeNumber(_ word: String) -> Int? {
    let digits = word.first == "+" || word.first == "-" ? word.dropFirst() : word[...]
    let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty }), digits.first != "0" || digits == "0" else { return nil }
    return Int(word.filter { $0 != "_" })
  }

  private mutating func takeList(depth: Int) throws(ConfigurationMistake) -> [ConfigurationValue] {
    _ = take("[")
    var values: [ConfigurationValue] = []
    while true {
      skipBlankLines()
      if take("]") { return values }
      values.append(try takeValue(depth: depth + 1))
      skipBlankLines()
      guard take(",") || next == "]" else {
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
      let (path, value) = try takeSetting(depth: depth + 1)
      try entries.insert(value, at: path)
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
    let isLong = text[index...].starts(with: [mark, mark, mark])
    for _ in 0..<(isLong ? 3 : 1) { take() }
    // A newline right after the opening quotes is not part of the string.
    if isLong { _ = take("\n") }
    var found: [Unicode.Scalar] = []
    while let next, next >= " " || next == "\t" || isLong && next == "\n", next != "\u{7f}" {
      if next == mark, isLong ? takeLongEnd(mark, &found) : take(mark) { return found[...].string }
      take()
      if next == "\\", mark == "\"" {
        try takeEscape(isLong: isLong, &found)
      } else {
        found.append(next)
      }
    }
    let end = String(repeating: Character(mark), count: isLong ? 3 : 1)
    throw ConfigurationMistake("the text has no \(end) at its end, or a control character inside")
  }

  /// Consumes the three quotes that end a multi-line string. One or two quotes directly before these three are part of
  /// the string. Returns `false` if the string does not end here.
  private mutating func takeLongEnd(_ mark: Unicode.Scalar, _ found: inout [Unicode.Scalar]) -> Bool {
    let run = text[index...].prefix(5).prefix { $0 == mark }.count
    guard run >= 3 else { return false }
    index += run
    found += repeatElement(mark, count: run - 3)
    return true
  }

  /// Consumes the part of an escape sequence that follows the backslash: a code for one character or, in a
  /// multi-line string, a newline. An escaped newline joins two lines.
  private mutating func takeEscape(
    isLong: Bool, _ found: inout [Unicode.Scalar]
  ) throws(ConfigurationMistake) {
    var rest = self
    rest.skipBlanks()
    guard isLong, rest.next == "\n" else { return found.append(try takeEscapedScalar()) }
    skip { $0 == "\n" || $0 == " " || $0 == "\t" }
  }

  private mutating func takeEscapedScalar() throws(ConfigurationMistake) -> Unicode.Scalar {
    let letter = next
    if letter != nil, letter != "\n" { take() }
    switch letter {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{c}"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    case "u": return try takeScalar(digits: 4)
    case "U": return try takeScalar(digits: 8)
    default: throw ConfigurationMistake("a backslash must be written twice in \"…\"; in '…' it needs nothing")
    }
  }

  private mutating func takeScalar(digits: Int) throws(ConfigurationMistake) -> Unicode.Scalar {
    let word = text[index...].prefix(digits)
    let isHex = word.count == digits && word.allSatisfy(\.properties.isASCIIHexDigit)
    guard isHex, let number = UInt32(word.string, radix: 16), let scalar = Unicode.Scalar(number) else {
      throw ConfigurationMistake("\\u must be followed by 4 digits of a character, \\U by 8")
    }
    index += digits
    return scalar
  }
}

extension ArraySlice<Unicode.Scalar> {
  fileprivate var string: String { String(String.UnicodeScalarView(self)) }
}

extension Unicode.Scalar {
  /// Whether a name without quotes can contain the character.
  fileprivate var isInName: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  /// Whether a value without quotes can contain the character.
  fileprivate var isInBareValue: Bool {
    self > " " && self != "\u{7f}" && !",[]{}#=\"'".unicodeScalars.contains(self)
  }
}
