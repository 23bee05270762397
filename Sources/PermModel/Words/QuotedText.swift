// In Swift, a quotation mark with an accent is a single character, but a shell and a reader of JSON see a quotation
// mark and then an accent. Everything here therefore works on Unicode scalars.
extension String {
  /// The string, quoted if necessary so that a shell reads it as a single word.
  package var shellQuoted: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: Self.plainSigns.contains(byte)
      }
    }
    return isPlain && !isEmpty ? self : inShellQuotes
  }

  private static let plainSigns = Array("-_./@:,=+".utf8)

  /// The string in single quotation marks, in which a shell replaces nothing.
  package var inShellQuotes: String { "'\(replacing("'" as Unicode.Scalar, with: "'\\''"))'" }

  /// The string as JSON, in quotation marks. Every character that could deceive a person who reads it on a terminal is
  /// escaped, which JSON allows without loss.
  package var jsonQuoted: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where VisibleText.isPlain(scalar): result.unicodeScalars.append(scalar)
      default: for unit in String(scalar).utf16 { result += Self.jsonEscape(unit) }
      }
    }
    return result + "\""
  }

  private static func jsonEscape(_ unit: UInt16) -> String {
    // Adding 0x10000 and then dropping the first digit keeps the leading zeros.
    "\\u" + String(0x10000 + Int(unit), radix: 16).dropFirst()
  }

  /// Returns the string with each occurrence of a scalar replaced.
  func replacing(_ sign: Unicode.Scalar, with replacement: String) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar == sign { result += replacement } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
