extension Scope {
  /// Returns bytes as one visible line. A character that is invisible, or that could be mistaken, becomes an escape.
  package static func escaped(_ bytes: [UInt8], alsoComma: Bool = false) -> String {
    // Nearly every value is plain. Decoding its characters one by one would be a seventh of the work for a decision.
    if bytes.allSatisfy({ isPlain($0, alsoComma: alsoComma) }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    var rest = bytes[...]
    while let scalar = decodeFirst(&rest) {
      switch scalar {
      case .success("\\"): text += "\\\\"
      case .success("\n"): text += "\\n"
      case .success("\t"): text += "\\t"
      case .success(",") where alsoComma: text += "\\,"
      case .success(let scalar) where isVisible(scalar): text.unicodeScalars.append(scalar)
      case .success(let scalar): text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      case .failure(let stray): text += "\\x" + (stray.byte < 16 ? "0" : "") + String(stray.byte, radix: 16)
      }
    }
    return text
  }

  /// Whether a byte is a visible character of ASCII that needs no escape.
  private static func isPlain(_ byte: UInt8, alsoComma: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"): false
    case UInt8(ascii: ","): !alsoComma
    default: (0x20...0x7e).contains(byte)
    }
  }

  /// Returns the bytes that a text with escapes stands for.
  package static func unescaped(_ text: some StringProtocol) throws(ScopeError) -> [UInt8] {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    var rest = Substring(text)
    while let character = rest.unicodeScalars.popFirst() {
      guard character == "\\" else {
        bytes += Array(String(character).utf8)
        continue
      }
      bytes += try escape(&rest)
    }
    return bytes
  }

  private static func escape(_ rest: inout Substring) throws(ScopeError) -> [UInt8] {
    guard let sign = rest.unicodeScalars.popFirst() else { throw .unfinishedEscape }
    switch sign {
    case "n": return [0x0a]
    case "t": return [0x09]
    case "\\", ",", "*", "…", "{": return Array(String(sign).utf8)
    case "x": return [try hexByte(&rest)]
    case "u": return Array(String(try hexScalar(&rest)).utf8)
    default: throw .unknownEscape(Character(sign))
    }
  }

  private static func hexByte(_ rest: inout Substring) throws(ScopeError) -> UInt8 {
    let digits = String(rest.unicodeScalars.prefix(2))
    guard let byte = number(digits, UInt8.self), digits.utf8.count == 2 else { throw .unfinishedEscape }
    rest.unicodeScalars.removeFirst(2)
    return byte
  }

  private static func hexScalar(_ rest: inout Substring) throws(ScopeError) -> Unicode.Scalar {
    guard rest.unicodeScalars.popFirst() == "{", let end = rest.unicodeScalars.firstIndex(of: "}"),
      let value = number(String(rest.unicodeScalars[..<end]), UInt32.self), let scalar = Unicode.Scalar(value)
    else { throw .unfinishedEscape }
    rest = Substring(rest.unicodeScalars[end...].dropFirst())
    return scalar
  }

  /// Reads a number of one to six hexadecimal digits, without a sign.
  private static func number<Number: FixedWidthInteger>(_ digits: String, _: Number.Type) -> Number? {
    guard (1...6).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    return Number(digits, radix: 16)
  }

  /// A byte that is not part of a character in UTF-8.
  private struct StrayByte: Error { let byte: UInt8 }

  private static func decodeFirst(_ rest: inout ArraySlice<UInt8>) -> Result<Unicode.Scalar, StrayByte>? {
    guard let first = rest.first else { return nil }
    for length in 1...4 where length <= rest.count {
      if let text = String(validating: rest.prefix(length), as: UTF8.self),
        let scalar = text.unicodeScalars.first
      {
        rest = rest.dropFirst(length)
        return .success(scalar)
      }
    }
    rest = rest.dropFirst()
    return .failure(StrayByte(byte: first))
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20...0x7e).contains(scalar.value) }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
      return false
    default: return true
    }
  }
}

extension Substring {
  /// The position of the first comma that does not follow a backslash.
  var firstUnescapedComma: Index? {
    var isEscaped = false
    for index in indices {
      if !isEscaped, self[index] == "," { return index }
      isEscaped = !isEscaped && self[index] == "\\"
    }
    return nil
  }

  /// Returns the texts between the commas that do not follow a backslash. They still contain their escapes.
  func splitAtCommas() -> [Substring] {
    var texts: [Substring] = []
    var rest = self
    while let comma = rest.firstUnescapedComma {
      texts.append(rest[..<comma])
      rest = rest[comma...].dropFirst()
    }
    return texts + [rest]
  }
}
