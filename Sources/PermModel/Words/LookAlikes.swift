/// Finds names that a person could mistake for others, because their letters look like letters of another alphabet. Most
/// of the pairs come from Unicode's list of confusables; of its thousands of lines, the letters and digits that look like
/// Latin ones are needed.
enum LookAlikes {
  /// Pairs of characters that the list lacks, or for which it names another letter. The first is a foreign, phonetic or
  /// technical letter; the second is the Latin letter or digit that the first one looks like.
  private static let own = """
    вbкkӏlґrьbԍgпnІIԚQ
    βbεeηnκkτtχxωwΙI
    յjԼL
    ʀrɴnʟlʜhɢgʙbɓbɗdɦhɾrʋvƅbƨsƽ5ꜰfᴀaᴅdᴇeᴊjᴋkᴍmᴘpᴛtꞇtʍwɛeɜ3ɔc
    ⲁaⲃbⲉeⲏhⲓiⲕkⲙmⲛnⲧtⲩyⲭxⲱwⲀAⲂBⲈEⲒI
    ꓲIꓵn
    ᎾO
    """

  private static let table: [Unicode.Scalar: String] = {
    let letters = own.filter { !$0.isWhitespace }.map { $0 }
    let pairs = stride(from: 0, to: letters.count - 1, by: 2).compactMap { place in
      letters[place].unicodeScalars.first.map { ($0, String(letters[place + 1])) }
    }
    let known = unicode.split(whereSeparator: \.isWhitespace).compactMap {
      entry -> (Unicode.Scalar, String)? in
      let sides = entry.split(separator: "=")
      guard sides.count == 2, let scalar = UInt32(sides[0], radix: 16).flatMap(Unicode.Scalar.init) else {
        return nil
      }
      return (scalar, String(sides[1]))
    }
    return Dictionary(pairs + known, uniquingKeysWith: { first, _ in first })
  }()

  /// The alphabets whose letters look like Latin letters: Greek, Cyrillic, Armenian, Cherokee, Coptic and Lisu.
  private static let similarAlphabets: [ClosedRange<UInt32>] = [
    0x370...0x52f, 0x530...0x58f, 0x13a0...0x13ff, 0x1c80...0x1c8f, 0x1f00...0x1fff, 0x2c80...0x2cff,
    0x2de0...0x2dff, 0xa4d0...0xa4ff, 0xa640...0xa69f, 0xab70...0xabbf,
  ]

  /// Phonetic letters, the dotless i and others that no name needs beside its ordinary letters, and styled ones.
  private static let technicalLetters: [ClosedRange<UInt32>] = [
    0x131...0x131, 0x184...0x185, 0x1a7...0x1a8, 0x1bc...0x1c0, 0x250...0x2af, 0x1d00...0x1dbf,
    0x2100...0x218f,
    0x249c...0x24e9, 0xa730...0xa731, 0xa786...0xa787, 0xff01...0xff5e, 0x1d400...0x1d7ff, 0x1f110...0x1f189,
  ]

  /// Returns the reason, in words, why a reader could misread a name; `nil` if that is unlikely.
  static func doubt(about name: String) -> String? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy(\.isASCII) { return nil }
    if hasLatinLetter(name), scalars.contains(where: isForeign) {
      return "its name mixes letters of two alphabets that look alike"
    }
    let read = scalars.map { latin($0) ?? String($0) }.joined()
    guard scalars.contains(where: { latin($0) != nil && !isOrdinary($0) }),
      read.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return "its name reads as \(read), and is written with other letters"
  }

  /// Returns the skeleton of a name. Two names that a person could mistake for each other have the same skeleton.
  static func skeleton(of name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      for letter in latin(scalar) ?? base(scalar) ?? String(scalar) { text += similar(letter) }
    }
  }

  /// Returns the same replacement for all ASCII characters that look alike in most typefaces.
  private static func similar(_ letter: Character) -> String {
    switch letter {
    case "1", "I", "|": "l"
    case "0": "O"
    case "m": "rn"
    default: String(letter)
    }
  }

  /// Whether a letter does not belong beside Latin letters: it is of an alphabet whose letters look like theirs, or it is
  /// one of the phonetic and technical letters that look like one of them. Letters of languages that are written in Latin
  /// letters, such as æ, and those of all other alphabets, such as Arabic, are not foreign.
  private static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
    if similarAlphabets.contains(where: { $0.contains(scalar.value) }) {
      return scalar.properties.isAlphabetic
    }
    return technicalLetters.contains { $0.contains(scalar.value) } && latin(scalar) != nil
  }

  /// Whether a letter is an ordinary one of languages that are written in Latin letters, such as æ.
  private static func isOrdinary(_ scalar: Unicode.Scalar) -> Bool {
    ((0xc0...0x24f).contains(scalar.value) || (0x1e00...0x1eff).contains(scalar.value)) && !isForeign(scalar)
  }

  private static func hasLatinLetter(_ name: String) -> Bool {
    name.unicodeScalars.contains { scalar in
      scalar.isASCII ? scalar.properties.isAlphabetic : base(scalar) != nil
    }
  }

  private static let romanNumerals = [
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "L", "C", "D", "M",
  ]

  /// Returns the Latin letters or the digit that a non-ASCII character looks like; `nil` if it looks like neither.
  private static func latin(_ scalar: Unicode.Scalar) -> String? {
    if scalar.isASCII { return nil }
    if let letters = table[scalar] { return letters }
    switch scalar.value {
    // Fullwidth characters are in the order of ASCII.
    case 0xff01...0xff5e: return Unicode.Scalar(scalar.value - 0xfee0).map { String($0) }
    case 0x2160...0x216f: return romanNumerals[Int(scalar.value - 0x2160)]
    case 0x2170...0x217f: return romanNumerals[Int(scalar.value - 0x2170)].lowercased()
    // Five styles of the mathematical digits follow one another.
    case 0x1d7ce...0x1d7ff: return String((scalar.value - 0x1d7ce) % 10)
    // The Unicode name of a letterlike, enclosed or mathematical symbol contains the letter that it looks like.
    case 0x2100...0x214f, 0x249c...0x24e9, 0x1d400...0x1d6a3, 0x1f110...0x1f189: return named(scalar)
    default: return nil
    }
  }

  /// Returns a Latin letter without its diacritical marks, for example `e` for `é`.
  private static func base(_ scalar: Unicode.Scalar) -> String? {
    let isLatin = (0xc0...0x24f).contains(scalar.value) || (0x1e00...0x1eff).contains(scalar.value)
    return isLatin ? named(scalar) : nil
  }

  /// Returns the letter that a character's Unicode name contains, as in `MATHEMATICAL BOLD SMALL B` or
  /// `LATIN SMALL LETTER E WITH ACUTE`.
  private static func named(_ scalar: Unicode.Scalar) -> String? {
    let words = (scalar.properties.name ?? "").split(separator: " ")
    guard let letter = words.prefix(while: { $0 != "WITH" }).last, letter.count == 1 else { return nil }
    return words.contains("SMALL") ? letter.lowercased() : String(letter)
  }
}
