import Foundation

/// Finds names that a person could mistake for others, because their letters look like letters of another alphabet. The
/// idea comes from Unicode's table of confusables, which has thousands of lines. The table in this file contains only
/// letters and digits.
enum LookAlikes {
  /// Pairs of characters. The first is a foreign, phonetic or technical letter; the second is the Latin letter or digit
  /// that the first one looks like.
  private static let pairs = """
    аaвbеeкkоoрpсcуyхxіiјjѕsһhԁdԛqԝwүyӏlґrьbѵvԍgпnгrАAВBЕEЗ3КKМMНHОOРPСCТTУYХXІIЈJЅSҮYӀlԌGԚQԜWѴVЬb
    αaβbγyεeηnιiκkνvοoρpσoτtυuχxωwϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹCͿJ
    օoսuոnհhզqցgյjաwԼLՍUՏSՕO
    ɑaɡgɩiɪiıiʏyʀrɴnʟlʜhɢgʙbɓbɗdɦhɾrʋvɯwƅbƄbƨsƽ5ꜱsꜰfᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢzꞇtʍwɛeɜ3ɔcǀl
    ⲁaⲃbⲅrⲉeⲏhⲓiⲕkⲙmⲛnⲟoⲣpⲥcⲧtⲩyⲭxⲱwⲀAⲂBⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲢPⲤCⲦTⲨYⲬX
    ꓐBꓑPꓒdꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴUꓵn
    ᎠDᎡRᎢTᎥiᎩYᎪAᎫJᎬEᎳWᎷMᎻHᎽYᎾOᏀGᏃZᏎ4ᏙVᏚSᏞLᏟCᏢPᏦKᏧdᏴBᏂhᏒRᏔWᏏb
    """

  private static let table: [Unicode.Scalar: Character] = {
    let letters = pairs.filter { !$0.isWhitespace }.map { $0 }
    let places = stride(from: 0, to: letters.count - 1, by: 2)
    return Dictionary(
      places.compactMap { place in letters[place].unicodeScalars.first.map { ($0, letters[place + 1]) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// The alphabets whose letters look like Latin letters: Greek, Cyrillic, Armenian, Cherokee, Coptic and Lisu.
  private static let similarAlphabets: [ClosedRange<UInt32>] = [
    0x370...0x52f, 0x530...0x58f, 0x13a0...0x13ff, 0x1c80...0x1c8f, 0x1f00...0x1fff, 0x2c80...0x2cff,
    0x2de0...0x2dff, 0xa4d0...0xa4ff, 0xa640...0xa69f, 0xab70...0xabbf,
  ]

  /// Returns the reason, in words, why a reader could misread a name; `nil` if that is unlikely.
  static func doubt(about name: String) -> String? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy(\.isASCII) { return nil }
    if hasLatinLetter(name), scalars.contains(where: { isSimilar($0) || latin($0) != nil }) {
      return "its name mixes letters of two alphabets that look alike"
    }
    let read = scalars.map { latin($0) ?? String($0) }.joined()
    guard read != name, read.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
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

  private static func isSimilar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic && similarAlphabets.contains { $0.contains(scalar.value) }
  }

  private static func hasLatinLetter(_ name: String) -> Bool {
    name.unicodeScalars.contains { scalar in
      scalar.isASCII ? scalar.properties.isAlphabetic : base(scalar) != nil
    }
  }

  /// Returns the Latin letters or the digit that a non-ASCII character looks like; `nil` if it looks like neither.
  private static func latin(_ scalar: Unicode.Scalar) -> String? {
    if scalar.isASCII { return nil }
    if let letter = table[scalar] { return String(letter) }
    switch scalar.value {
    // Unicode's compatibility mapping turns fullwidth characters, Roman numerals and mathematical digits into
    // ordinary letters and digits.
    case 0xff01...0xff5e, 0x2160...0x217f, 0x1d7ce...0x1d7ff:
      return String(scalar).precomposedStringWithCompatibilityMapping
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
