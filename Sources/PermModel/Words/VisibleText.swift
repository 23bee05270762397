/// Foreign text made safe to show: characters that could move the cursor, turn the writing direction or hide something
/// are written out and never dropped, so that no part of the text stays unseen.
package enum VisibleText {
  /// The number of marks on one letter that are shown as they are; no script needs more.
  private static let marksOnOneLetter = 4

  /// Returns `text` with every deceptive character written as an escape such as `\n` or `\u{202e}`.
  ///
  /// A backslash becomes two, so that an escape cannot be forged.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func escaped(_ text: some StringProtocol) -> String {
    if isPlain(text) { return String(text) }
    return text.flatMap(escaped).reduce(into: "") { $0.append($1) }
  }

  /// Returns foreign text in quotation marks, with the marks inside it escaped, so that it cannot pretend to end.
  package static func quoted(_ text: some StringProtocol) -> String {
    "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
      + "\""
  }

  /// Returns a program's name for the middle of a sentence or a list: a plain word stays as it is, and any text that
  /// could be mistaken for our own words is put in quotation marks. It is not escaped yet.
  package static func framed(_ text: String) -> String {
    let isWord = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.+/@:".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .nonspacingMark
    }
    return isWord && !text.isEmpty ? text : "\"\(text)\""
  }

  /// Whether all of the text is ASCII without hidden or deceptive characters.
  package static func isPlain(_ text: some StringProtocol) -> Bool { text.utf8.allBytes(isPlainASCII) }

  private static func escaped(_ character: Character) -> String {
    var result = ""
    // A mark without a letter before it would be drawn on the text before it.
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

  /// Whether this scalar is neither hidden nor deceptive: not a control character, not a direction mark, not invisible,
  /// and not a blank other than the space.
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

  /// A character that is neither a space nor invisible by its properties, yet shows nothing.
  private static let brailleBlank: Unicode.Scalar = "\u{2800}"

  private static func isPlainASCII(_ byte: UInt8) -> Bool {
    (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\\")
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
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
