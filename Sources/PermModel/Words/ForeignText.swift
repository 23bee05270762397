import Foundation

/// The rules for the untrusted text that programs send: their names, and their reasons for asking.
package enum ForeignText {
  /// The maximum width of a name in terminal cells.
  package static let longestName = 64
  /// The maximum width of a reason in terminal cells. An unprintable character counts as its visible escape.
  package static let longestReason = 280

  /// The maximum number of bytes per cell in a name or a reason. It limits stacked combining marks, which take up bytes
  /// but no cells.
  private static let mostBytesPerCell = 16

  /// Checks the name that a program uses for itself. A name that could be misread is refused: it must not
  /// contain control characters, invisible characters, characters that change the writing direction, or signs
  /// that the screen itself uses. Its letters must be in composed form, so that there is only one way to
  /// write each of them. It must not begin or end with a blank, or contain two blanks in a row.
  ///
  /// - Throws: ``ForeignTextError`` that says what to change.
  package static func check(name: String) throws(ForeignTextError) {
    guard !name.isEmpty else { throw .empty }
    guard name.utf8.count <= longestName * mostBytesPerCell, cells(of: name) <= longestName else {
      throw .nameTooLong(cells: cells(of: name))
    }
    if let scalar = name.unicodeScalars.first(where: { !isVisible($0) }) { throw .forbidden(scalar) }
    if let sign = name.unicodeScalars.first(where: isSign) { throw .sign(sign) }
    guard name.first != " ", name.last != " " else { throw .blankAtTheEnd }
    guard !name.contains("  ") else { throw .blanksInARow }
    guard isComposed(name) else { throw .notComposed }
    guard !readsLikeAnEntry(name) else { throw .readsLikeAnEntry }
    // Case is ignored after look-alikes are replaced, because a capital I looks like a small l.
    let read = [name, name.lowercased()].map { LookAlikes.skeleton(of: $0).lowercased() }
    guard !read.contains(everyone) else { throw .reserved }
  }

  /// Whether a name reads like a path, or like the entry of another program in a list: `backup@/usr/bin/backup`, or
  /// `claude in /srv/app`.
  private static func readsLikeAnEntry(_ name: String) -> Bool {
    // The sign ~ is refused anyway. The wide forms of the signs look the same in a list.
    let wide: [Unicode.Scalar: Unicode.Scalar] = ["\u{ff0f}": "/", "\u{ff20}": "@", "\u{fe6b}": "@"]
    let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { wide[$0] ?? $0 })).lowercased()
    return plain.hasPrefix("/") || plain.contains("@/") || plain.contains("@ /") || plain.contains(" in /")
  }

  /// The form to which every name that could be read as "everyone" folds.
  private static let everyone = LookAlikes.skeleton(of: Subject.everyone.label)

  /// Checks a program's reason for asking. A reason is refused only if it is too long or contains the NUL
  /// character. Any other unprintable character is shown as a visible escape.
  ///
  /// - Throws: ``ForeignTextError`` that says what to change.
  package static func check(reason: String) throws(ForeignTextError) {
    guard reason.utf8.count <= longestReason * mostBytesPerCell, cells(of: reason) <= longestReason else {
      throw .reasonTooLong(cells: cells(of: reason))
    }
    guard !reason.utf8.contains(0) else { throw .forbidden("\0") }
  }

  /// Checks the details of a request. Any unprintable character in them is shown as a visible escape.
  ///
  /// - Throws: ``ForeignTextError`` if they are too long, or contain the NUL character.
  package static func check(details: String) throws(ForeignTextError) {
    guard details.utf8.count <= ShownDetails.longest else { throw .detailsTooLong(bytes: details.utf8.count) }
    guard !details.utf8.contains(0) else { throw .forbidden("\0") }
  }

  // MARK: Characters

  /// Whether a person can see this character and tell which character it is.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\\" || VisibleText.isPlain(scalar)
  }

  /// Whether the screen could use this character for its own marks, frames or quotation marks.
  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return "!\"|<>*`^~".unicodeScalars.contains(scalar) }
    switch scalar.properties.generalCategory {
    case .mathSymbol, .modifierSymbol, .otherSymbol, .initialPunctuation, .finalPunctuation: return true
    case .openPunctuation, .closePunctuation, .otherPunctuation, .dashPunctuation:
      // Only these are signs: the characters of Latin-1, those from U+2000 to U+2BFF, and the katakana middle dot. All
      // others are ordinary brackets, dots and dashes of other scripts.
      return scalar.value < 0x100 || (0x2000...0x2bff).contains(scalar.value) || scalar == "\u{30fb}"
    default: return "\u{387}\u{1427}\u{a78f}\u{1c3}".unicodeScalars.contains(scalar)
    }
  }

  /// Whether the text is in Unicode's normal form C. Text whose characters are all below U+0300 is always in form C.
  package static func isComposed(_ text: String) -> Bool {
    if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return true }
    // Swift strings can be equal even if they are composed differently, so their scalars are compared instead.
    return text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(text.unicodeScalars)
  }

  // MARK: Cells

  /// Returns an upper bound on the number of cells that a string takes up. For example, U+202E is shown as the escape
  /// `\u{202e}`, which takes up eight cells.
  package static func cells(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + cells(of: $1) }
  }

  private static func cells(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f ? 4 : 1 }
    guard isVisible(scalar) else { return 4 + String(scalar.value, radix: 16).count }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18cff, 0x1b000...0x1b2ff,
      0x20000...0x3fffd:
      return true
    default: return false
    }
  }
}

/// The reason why a program's text is refused.
package enum ForeignTextError: Error, Hashable, CustomStringConvertible {
  case empty
  case nameTooLong(cells: Int)
  case reasonTooLong(cells: Int)
  case detailsTooLong(bytes: Int)
  case forbidden(Unicode.Scalar)
  case sign(Unicode.Scalar)
  case blankAtTheEnd
  case blanksInARow
  case notComposed
  /// The name reads like a path, or like what lists show for another program.
  case readsLikeAnEntry
  /// The name could be read as the word that stands for all programs.
  case reserved

  package var description: String {
    switch self {
    case .empty: "a name is needed, and it is empty"
    case .nameTooLong(let cells):
      "the name takes \(cells) cells on the screen; at most \(ForeignText.longestName) are allowed"
    case .reasonTooLong(let cells):
      "the reason takes \(cells) cells on the screen; at most \(ForeignText.longestReason) are allowed"
    case .detailsTooLong(let bytes):
      "the details have \(bytes) bytes; at most \(ShownDetails.longest) are allowed"
    case .forbidden(let scalar):
      "the character U+\(scalar.hexadecimal) is not allowed: it cannot be seen as what it is"
    case .sign(let scalar):
      "the sign \(scalar) (U+\(scalar.hexadecimal)) is not allowed in a name, as the screen uses such signs; choose "
        + "another name"
    case .blanksInARow: "a name must not have two blanks in a row"
    case .blankAtTheEnd: "a name must not begin or end with a blank"
    case .reserved: "\"\(Subject.everyone.label)\" stands for all programs; choose another name"
    case .readsLikeAnEntry:
      "a name must not begin like a path, nor read like another program's entry in a list (NAME@/PATH, NAME in /FOLDER)"
    case .notComposed: "the name must be in Unicode normal form C (NFC)"
    }
  }
}

extension Unicode.Scalar {
  fileprivate var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension Collection<UInt8> {
  /// Returns whether every byte satisfies the predicate. Contiguously stored bytes, such as those of most strings, are
  /// read directly from memory, which is faster than iterating over the collection.
  @inlinable
  package func allBytes(_ fit: (UInt8) -> Bool) -> Bool {
    withContiguousStorageIfAvailable { $0.allSatisfy(fit) } ?? allSatisfy(fit)
  }
}
