/// Names in which letters of one alphabet stand for those of another that they look like.
enum MixedAlphabets {
  /// Alphabets with letters that look like Latin ones: Greek, Cyrillic, Armenian, Cherokee, mathematical and wide letters.
  private static let lookAlike: [ClosedRange<UInt32>] = [
    0x370...0x3ff, 0x400...0x52f, 0x530...0x58f, 0x13a0...0x13ff, 0x1d400...0x1d7ff, 0xff21...0xff5a,
  ]
  private static let latin: [ClosedRange<UInt32>] = [0x41...0x5a, 0x61...0x7a, 0xc0...0x24f]

  /// Whether a name has Latin letters and letters that look like them.
  static func are(in name: String) -> Bool { has(latin, name) && has(lookAlike, name) }

  private static func has(_ alphabets: [ClosedRange<UInt32>], _ name: String) -> Bool {
    name.unicodeScalars.contains { scalar in
      scalar.properties.isAlphabetic && alphabets.contains { $0.contains(scalar.value) }
    }
  }
}
