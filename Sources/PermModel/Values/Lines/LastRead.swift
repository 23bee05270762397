import Machine

/// The last long line that was read, with what was read of it. A judgement reads a line for each decision that could be
/// about it, and each time the result is the same.
struct LastRead<Reading: Sendable>: ~Copyable, Sendable {
  private let last = Lock<(text: String, reading: Reading)?>(nil)

  /// The length in bytes from which on a line is remembered. Shorter ones are read as fast as they are compared.
  private static var shortest: Int { 256 }

  borrowing func reading(of text: String, _ read: (String) -> Reading) -> Reading {
    guard text.utf8.count >= Self.shortest else { return read(text) }
    if let known = last.withLock({ $0.flatMap { Self.areSame($0.text, text) ? $0.reading : nil } }) {
      return known
    }
    let reading = read(text)
    last.withLock { $0 = (text, reading) }
    return reading
  }

  /// Whether two texts have the same bytes. Swift's strings are equal even if a letter is composed of other characters.
  private static func areSame(_ one: String, _ other: String) -> Bool {
    let isSame = one.utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
    }
    return isSame == .some(true)
  }
}
