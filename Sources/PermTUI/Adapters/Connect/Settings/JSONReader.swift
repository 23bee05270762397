/// A strict reader of JSON, which accepts no comments, no trailing commas and no text after the document.
struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// The maximum depth of nesting. It keeps a hostile file from exhausting the stack; settings never reach it.
  private static let deepest = 100

  /// Returns the value that a document consists of.
  static func read(_ bytes: [UInt8]) throws(SettingsProblem) -> JSONNode {
    var reader = JSONReader(bytes: bytes)
    let node = try reader.value()
    reader.skipBlanks()
    guard reader.place == bytes.count else { throw reader.problem("there is text after the end") }
    return node
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func problem(_ reason: String) -> SettingsProblem {
    SettingsProblem(line: bytes.line(at: place), reason: reason)
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

  private mutating func value() throws(SettingsProblem) -> JSONNode {
    skipBlanks()
    let start = place
    let content: JSONNode.Content
    switch next.map(Unicode.Scalar.init) {
    case "{": content = .object(try inside("}") { reader throws(SettingsProblem) in try reader.member() })
    case "[": content = .array(try inside("]") { reader throws(SettingsProblem) in try reader.value() })
    case "\"": content = .text(try text())
    default: content = .word(try word())
    }
    return JSONNode(range: start..<place, content: content)
  }

  /// Reads the contents of an object or an array.
  private mutating func inside<Item>(
    _ end: Character, _ read: (inout JSONReader) throws(SettingsProblem) -> Item
  ) throws(SettingsProblem) -> [Item] {
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

  private mutating func member() throws(SettingsProblem) -> JSONNode.Member {
    skipBlanks()
    let start = place
    guard next == UInt8(ascii: "\"") else { throw problem("a name in quotation marks is missing") }
    let name = try text()
    guard take(":") else { throw problem("a colon is missing") }
    return JSONNode.Member(name: name, start: start, value: try value())
  }

  private mutating func word() throws(SettingsProblem) -> String {
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
    return Double(word) != nil
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    let sign = Character(Unicode.Scalar(byte))
    return sign.isASCII && (sign.isLetter || sign.isNumber || "+-.".contains(sign))
  }
}

// MARK: - Strings

extension JSONReader {
  private mutating func text() throws(SettingsProblem) -> String {
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

  /// Reads what follows a backslash.
  private mutating func escape() throws(SettingsProblem) -> Character {
    defer { place += 1 }
    if let scalar = next.flatMap({ Self.escapes[$0] }) { return Character(scalar) }
    guard next == UInt8(ascii: "u") else { throw problem("an escape sequence is unknown") }
    let high = try unit()
    guard (0xd800..<0xdc00).contains(high) else {
      return Character(Unicode.Scalar(high) ?? "\u{fffd}")
    }
    // Half of a pair alone stands for no character.
    guard bytes.dropFirst(place + 1).starts(with: "\\u".utf8) else { return "\u{fffd}" }
    place += 2
    let low = try unit()
    guard (0xdc00..<0xe000).contains(low) else { return "\u{fffd}" }
    return Character(Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)) ?? "\u{fffd}")
  }

  /// Reads the four digits after `u`.
  private mutating func unit() throws(SettingsProblem) -> UInt32 {
    let digits = String(decoding: bytes.dropFirst(place + 1).prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, let unit = UInt32(digits, radix: 16) else {
      throw problem("an escape sequence is incomplete")
    }
    place += 4
    return unit
  }
}

extension [UInt8] {
  /// Returns the number of the line that contains a byte, counted from 1.
  func line(at place: Int) -> Int { self[..<Swift.min(place, count)].count { $0 == 0x0a } + 1 }
}
