import PermModel

/// A measure of the number of cells that a character takes on the screen. The views and the terminal library share one
/// measure, so they always agree. The views receive the measure, so they do not depend on that library.
///
/// Under every measure, a printable ASCII character takes one cell.
protocol CellMeasure: Sendable {
  /// Returns the number of cells that `character` takes: one or two, or `nil` if it cannot be shown. The result is
  /// `nil` for control characters, zero-width characters and joined emoji. In a locale that is not UTF-8, it is also
  /// `nil` for all characters outside ASCII.
  func width(of character: Character) -> Int?
}

extension CellMeasure {
  /// Returns the number of cells that `text` takes on a grid.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  func width(of text: String) -> Int { text.width(under: self) }

  /// Returns the number of cells that `text` takes on a grid.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  func width(of text: Substring) -> Int { text.width(under: self) }
}

extension StringProtocol {
  // Inlined, because generic code for all kinds of text takes several times as long.
  @inline(__always)
  fileprivate func width(under measure: some CellMeasure) -> Int {
    var width = 0
    forEachPiece { piece in
      switch piece {
      case .ascii(let bytes): width += bytes.count
      case .character(let character): width += measure.width(of: character) ?? 1
      }
      return true
    }
    return width
  }
}

extension CellMeasure {
  /// Returns the character or, if the terminal cannot show it, the text that is written instead.
  func shown(_ character: Character) -> String {
    if character.isASCII || canShow(character) { return String(character) }
    return ASCIIFallback.standIn(for: character).map { String($0) }
      ?? character.unicodeScalars.map { VisibleText.escape($0) }.joined()
  }
}

extension CellMeasure {
  /// Whether the terminal can show all parts of a character.
  func canShow(_ character: Character) -> Bool { character.forEachPart { width(of: $0) != nil } }
}

/// A part of a text that is measured or drawn in one step.
enum TextPiece {
  /// Printable ASCII, of which each byte is a character of its own and takes one cell.
  case ascii(UnsafeBufferPointer<UInt8>)
  case character(Character)
}

extension StringProtocol {
  /// Passes the pieces of the text to `body`, in order, until it returns false.
  ///
  /// Nearly all text is ASCII, even around a sign or a dash. Splitting all of it into characters would take most of the
  /// time for a frame.
  @inline(__always)
  func forEachPiece(_ body: (TextPiece) -> Bool) {
    _ = utf8.withContiguousStorageIfAvailable { bytes in
      var place = 0
      var goesOn = true
      while goesOn, place < bytes.count {
        let end = bytes.endOfASCII(from: place)
        if end > place {
          goesOn = body(.ascii(UnsafeBufferPointer(rebasing: bytes[place..<end])))
          place = end
        } else if let sign = bytes.separateSign(at: place) {
          goesOn = body(.character(Character(sign)))
          place += UTF8.width(sign)
        } else {
          let character = self[utf8.index(startIndex, offsetBy: place)]
          goesOn = character.forEachPart { body(.character($0)) }
          place += character.utf8.count
        }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the end of the printable ASCII that begins at `start`. The last character before text that is not ASCII is
  /// not part of it, because a mark could follow and belong to that character.
  fileprivate func endOfASCII(from start: Int) -> Int {
    var end = start
    while end + 8 <= count, isPrintableASCII(eightFrom: end) { end += 8 }
    while end < count, (0x20..<0x7f).contains(self[end]) { end += 1 }
    let canJoin = end < count && self[end] >= 0x80 && sign(at: end) == nil
    return canJoin && end > start ? end - 1 : end
  }

  /// Returns whether eight bytes are printable ASCII, all at once. Adding one to a byte sets its highest bit if it is too
  /// large, and subtracting a blank if it is too small.
  private func isPrintableASCII(eightFrom start: Int) -> Bool {
    let bytes = UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: start, as: UInt64.self)
    let (one, blank): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x2020_2020_2020_2020)
    return (bytes | bytes &+ one | bytes &- blank) & 0x8080_8080_8080_8080 == 0
  }

  /// Returns the sign at `place` if it is a character of its own: if the text ends with it, or printable ASCII or
  /// another sign follows.
  fileprivate func separateSign(at place: Int) -> Unicode.Scalar? {
    guard let sign = sign(at: place) else { return nil }
    let next = place + UTF8.width(sign)
    return next == count || (0x20..<0x7f).contains(self[next]) || self.sign(at: next) != nil ? sign : nil
  }

  /// Returns the dash, ellipsis, arrow, part of a line, geometric shape or check mark at `place`, if there is one. These
  /// are nearly all of the program's own characters outside ASCII. None of them joins a character before it.
  private func sign(at place: Int) -> Unicode.Scalar? {
    guard place + 2 < count, self[place] == 0xe2 else { return nil }
    let value = 0x2000 | UInt32(self[place + 1] & 0x3f) << 6 | UInt32(self[place + 2] & 0x3f)
    return switch value {
    case 0x2010...0x2027, 0x2190...0x21ff, 0x2500...0x25ff, 0x2713...0x2718: Unicode.Scalar(value)
    default: nil
    }
  }
}

extension Character {
  /// Passes the parts that take cells of their own to `body`, in order, until it returns false. Returns whether it never did.
  ///
  /// Terminals show a spacing mark, such as a vowel of Devanagari, in cells after those of its letter, and the letters of a
  /// conjunct one after the other.
  func forEachPart(_ body: (Character) -> Bool) -> Bool {
    // A sign of the kind that encloses what follows it, as in Arabic, stays with that.
    let isPrefixed = unicodeScalars.first?.properties.generalCategory == .format
    guard !isPrefixed, unicodeScalars.dropFirst().contains(where: Self.beginsPart) else { return body(self) }
    var part = ""
    for scalar in unicodeScalars {
      if !part.isEmpty, Self.beginsPart(scalar) {
        guard body(Character(part)) else { return false }
        part = ""
      }
      part.unicodeScalars.append(scalar)
    }
    return body(Character(part))
  }

  /// Whether a scalar within a character takes cells of its own.
  private static func beginsPart(_ scalar: Unicode.Scalar) -> Bool {
    // In Hangul, letters within a character form one block.
    switch (scalar.value, scalar.properties.generalCategory) {
    case (0x1100...0x11ff, _), (0xa960...0xa97f, _), (0xd7b0...0xd7ff, _): false
    case (_, .spacingMark), (_, .otherLetter): true
    default: false
    }
  }

  /// The byte of a printable ASCII character; `nil` for every other character.
  var printableASCII: UInt8? {
    guard utf8.count == 1, let byte = utf8.first, (0x20..<0x7f).contains(byte) else { return nil }
    return byte
  }
}

/// A measure for terminals that show only ASCII: every printable ASCII character takes one cell, and no other
/// character can be shown.
struct ASCIICellMeasure: CellMeasure {
  func width(of character: Character) -> Int? { character.printableASCII == nil ? nil : 1 }
}

extension VisibleText {
  /// Returns the text form of a scope or of a reference with escapes for what the terminal cannot show. Its backslashes
  /// begin escapes, so they are not escaped again.
  static func escaped(written text: some StringProtocol, measure: any CellMeasure) -> String {
    text.split(separator: "\\", omittingEmptySubsequences: false).map { escaped($0, measure: measure) }
      .joined(separator: "\\")
  }

  /// Returns `text` with escapes for all characters that could deceive the reader or that the terminal cannot show.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  static func escaped(_ text: some StringProtocol, measure: any CellMeasure) -> String {
    if isPlain(text) { return String(text) }
    return escaped(text).reduce(into: "") { result, character in
      if measure.canShow(character) {
        result.append(character)
      } else {
        result += character.unicodeScalars.map { $0.isASCII ? String($0) : escape($0) }.joined()
      }
    }
  }
}
