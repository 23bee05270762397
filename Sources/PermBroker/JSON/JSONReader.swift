/// A strict reader of JSON, which accepts no comments, no trailing commas and no text after the document.
package struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0
  private let refusesRepeats: Bool

  /// The maximum depth of nesting. It keeps a hostile file from exhausting the stack; settings never reach it.
  private static let deepest = 100

  /// Returns the value that a document consists of.
  ///
  /// - Parameter refusesRepeats: Whether a member that comes twice makes the document unreadable, since another program
  ///   could use the other one.
  package static func read(_ bytes: [UInt8], refusesRepeats: Bool = false) throws(TextProblem) -> JSONNode {
    var reader = JSONReader(bytes: bytes, refusesRepeats: refusesRepeats)
    let node = try reader.value()
    reader.skipBlanks()
    guard reader.place == bytes.count else { throw reader.problem("there is text after the end") }
    return node
  }

  private init(bytes: [UInt8], refusesRepeats: Bool) {
    (self.bytes, self.refusesRepeats) = (bytes, refusesRepeats)
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func problem(_ reason: String) -> TextProblem {
    TextProblem(line: bytes.line(at: place), reason: reason)
  }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { place += 1 }
  }

  /// Consumes a character if it comes next, after any blanks.
  private mutating func take(_ sign: Character) -> Bool {
    skipBlanks()
    guard next == sign.asciiValue else { return false }
    place += 1
    return true
  }

  private mutating func value() throws(TextProblem) -> JSONNode {
    skipBlanks()
    let start = place
    let content: JSONNode.Content
    switch next.map(Unicode.Scalar.init) {
    case "{": content = .object(try members())
    case "[": content = .array(try inside("]") { reader throws(TextProblem) in try reader.value() })
    case "\"": content = .text(try text())
    default: content = .word(try word())
    }
    return JSONNode(range: start..<place, content: content)
  }

  /// Reads the contents of an object or an array.
  private mutating func inside<Item>(
    _ end: Character, _ read: (inout JSONReader) throws(TextProblem) -> Item
  ) throws(TextProblem) -> [Item] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw problem("it is nested too deeply") }
    place += 1
    if take(end) { return [] }
    var items = [try read(&self)]
    while take(",") { items.append(try read(&self)) }
    guard take(end) else { throw problem("a comma or '\(end)' is missing") }
    return items
  }

  private mutating func members() throws(TextProblem) -> [JSONNode.Member] {
    let members = try inside("}") { reader throws(TextProblem) in try reader.member() }
    if refusesRepeats, Set(members.map(\.name)).count < members.count {
      throw problem("a name comes twice in an object")
    }
    return members
  }

  private mutating func member() throws(TextProblem) -> JSONNode.Member {
    skipBlanks()
    let start = place
    guard next == UInt8(ascii: "\"") else { throw problem("a name in quotation marks is missing") }
    let name = try text()
    guard take(":") else { throw problem("a colon is missing") }
    return JSONNode.Member(name: name, start: start, value: try value())
  }

  private mutating func word() throws(TextProblem) -> String {
    let start = place
    while let byte = next, Self.isPartOfWord(byte) { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    guard ["true", "false", "null"].contains(word) || Self.isNumber(word) else {
      place = start
      throw problem(start == bytes.count ? "it ends too early" : "a value is missing")
    }
    return word
  }

  private static func isNumber(_ word: String) -> Bool {
    let digits = word.hasPrefix("-") ? word.dropFirst() : word[...]
    guard digits.first?.isNumber == true, word.allSatisfy({ $0.isNumber || "+-.eE".contains($0) }) else {
      return false
    }
    let hasLeadingZero = digits.first == "0" && digits.dropFirst().first?.isNumber == true
    return !hasLeadingZero && Double(word)?.isFinite == true
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    let sign = Character(Unicode.Scalar(byte))
    return sign.isASCII && (sign.isLetter || sign.isNumber || "+-.".contains(sign))
  }
}

// MARK: - Strings

extension JSONReader {
  private mutating func text() throws(TextProblem) -> String {
    place += 1
    var units: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw problem("a string does not end on its line") }
      place += 1
      if byte == UInt8(ascii: "\\") {
        units += String(try escape()).utf8
      } else {
        units.append(byte)
      }
    }
    guard next != nil else { throw problem("a string does not end") }
    place += 1
    guard let text = String(validating: units, as: UTF8.self) else { throw problem("it is not UTF-8") }
    return text
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    0x22: "\"", 0x5c: "\\", 0x2f: "/", 0x62: "\u{8}", 0x66: "\u{c}", 0x6e: "\n", 0x72: "\r", 0x74: "\t",
  ]

  /// Reads what follows a backslash. Half of a pair alone stands for no character.
  private mutating func escape() throws(TextProblem) -> Character {
    defer { place += 1 }
    if let scalar = next.flatMap({ Self.escapes[$0] }) { return Character(scalar) }
    guard next == UInt8(ascii: "u") else { throw problem("an escape sequence is unknown") }
    let high = try unit()
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    guard high < 0xdc00, bytes.dropFirst(place + 1).starts(with: "\\u".utf8) else { throw problem(Self.half) }
    place += 2
    let low = try unit()
    guard (0xdc00..<0xe000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
    else { throw problem(Self.half) }
    return Character(scalar)
  }

  private static let half = "an escape sequence stands for half a character"

  /// Reads the four digits after `u`.
  private mutating func unit() throws(TextProblem) -> UInt32 {
    let digits = String(decoding: bytes.dropFirst(place + 1).prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.first != "+", let unit = UInt32(digits, radix: 16) else {
      throw problem("an escape sequence is incomplete")
    }
    place += 4
    return unit
  }
}

extension [UInt8] {
  /// Returns the number of the line that contains a byte, counted from 1.
  package func line(at place: Int) -> Int { self[..<Swift.min(place, count)].count { $0 == 0x0a } + 1 }
}
