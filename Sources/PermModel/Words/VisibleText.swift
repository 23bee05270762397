/// Makes untrusted text safe to show. Characters that could move the cursor, change the writing direction or hide
/// something are replaced by visible escapes. No character is dropped, so every part of the text can be seen.
package enum VisibleText {
  /// The maximum number of combining marks that are shown unescaped on one letter. No script needs more.
  private static let marksOnOneLetter = 4

  /// Returns `text` with every deceptive character written as an escape such as `\n` or `\u{202e}`.
  ///
  /// A backslash is doubled, so that the text cannot contain forged escapes.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func escaped(_ text: some StringProtocol) -> String {
    if isPlain(text) { return String(text) }
    return text.flatMap(escaped).reduce(into: "") { $0.append($1) }
  }

  /// Returns untrusted text, escaped and in quotation marks. Quotation marks within the text are escaped too,
  /// so that the text cannot seem to end early.
  package static func quoted(_ text: some StringProtocol) -> String {
    "\"\(escaped(text).replacing("\"" as Unicode.Scalar, with: "\\\""))\""
  }

  /// Returns the beginning of a text that somebody typed, for use in a message about it. `[...]` replaces the rest.
  package static func brief(_ text: some StringProtocol) -> String {
    var used = 0
    let end = text.indices.first { index in
      used += ForeignText.cells(of: String(text[index]))
      return used > longestInMessage
    }
    return end.map { String(text[..<$0]) + "[...]" } ?? String(text)
  }

  /// The greatest width, in cells, of a text that a message repeats.
  private static let longestInMessage = 60

  /// Returns a program's name for use within a sentence or a list. A plain word stays as it is. Any other name is put
  /// in quotation marks, because it could be mistaken for PermTUI's own words. The result still has to be escaped.
  package static func framed(_ text: String) -> String {
    let isWord = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.+/@:".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .nonspacingMark
    }
    return isWord && !text.isEmpty ? text : "\"\(text)\""
  }

  /// Whether the text consists only of ASCII characters that are neither hidden nor deceptive.
  package static func isPlain(_ text: some StringProtocol) -> Bool { text.utf8.allBytes(isPlainASCII) }

  /// The same for a `String`. Each frame asks this about dozens of strings, and the generic version is much slower.
  package static func isPlain(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPlainASCII) }
      ?? text.utf8.allSatisfy(isPlainASCII)
  }

  private static func escaped(_ character: Character) -> String {
    var result = ""
    // A combining mark that does not follow a letter would be drawn onto the preceding text, so it is escaped.
    var marks = marksOnOneLetter
    for scalar in character.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      if isPlain(scalar), marks <= marksOnOneLetter {
        result.unicodeScalars.append(scalar)
      } else {
        result += escape(scalar)
        marks = marksOnOneLetter
      }
    }
    return result
  }

  /// Whether this scalar is neither hidden nor deceptive. Control characters, direction marks, invisible characters,
  /// blanks other than the space, and the backslash are not plain.
  package static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isPlainASCII(UInt8(truncatingIfNeeded: scalar.value)) }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar == brailleBlank { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate,
      .unassigned:
      return false
    default:
      return true
    }
  }

  /// A character that Unicode classifies neither as a space nor as invisible, although it shows nothing.
  private static let brailleBlank: Unicode.Scalar = "\u{2800}"

  private static func isPlainASCII(_ byte: UInt8) -> Bool {
    (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\\")
  }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
}
