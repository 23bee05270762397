/// Foreign text made safe to show: what could move the cursor, turn the writing direction, or hide something is
/// written out, never dropped, so that nobody is shown less than there is.
package enum VisibleText {
  /// More marks than this on one letter are written out; no script needs as many.
  private static let marksOnOneLetter = 4

  /// `text` with every deceptive character written as an escape such as `\n` or `\u{202e}`.
  ///
  /// A backslash becomes two, so that an escape cannot be forged.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func escaped(_ text: some StringProtocol) -> String {
    if isPlain(text) { return String(text) }
    return text.flatMap(escaped).reduce(into: "") { $0.append($1) }
  }

  /// Foreign text in quotation marks, with the marks inside of it escaped, so that it cannot pretend to end.
  package static func quoted(_ text: some StringProtocol) -> String {
    "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
      + "\""
  }

  /// What a program calls itself, for the middle of a sentence or a list: a plain word stays as it is, and anything that
  /// could be taken for words of ours stands in quotation marks. It is not escaped yet.
  package static func framed(_ text: String) -> String {
    let isWord = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.+/@:".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .nonspacingMark
    }
    return isWord && !text.isEmpty ? text : "\"\(text)\""
  }

  /// Whether all of the text is ASCII that a person sees as what it is.
  package static func isPlain(_ text: some StringProtocol) -> Bool { text.utf8.allBytes(isPlainASCII) }

  private static func escaped(_ character: Character) -> String {
    var result = ""
    // A mark that no letter precedes would sit on whatever was shown before it.
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

  /// Whether a person sees this scalar as what it is: no control, no direction mark, nothing invisible, no blank
  /// but the space.
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

  /// Neither a space nor invisible by its properties, and yet it shows nothing.
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
