import PermModel

extension ResolvedValues {
  /// The greatest length of the values in a message. An answer repeats them beside other fields.
  private static let longest = MessageBuffer.longestCall - 8 * 1024
  /// The size of values that are short in a message, too, in which a byte takes at most six.
  private static let short = 2048

  /// Checks the length of the values as they were found, because short links can lead to long paths.
  func checkLength() throws(BrokerError) {
    guard size > Self.short else { return }
    let length = (try? length) ?? .max
    guard length > Self.longest else { return }
    throw .invalid(
      parameter: "values",
      reason: "the values have \(length) bytes in a message; at most \(Self.longest) are allowed")
  }

  private var length: Int {
    get throws {
      try WireCoding.encode(atoms.wireValues ?? []).count
        + WireCoding.encode(facts.paths.map(Wire.PathFact.init)).count
    }
  }
}
