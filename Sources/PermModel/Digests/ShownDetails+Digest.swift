extension ShownDetails {
  /// The digest by which the journal recognizes the details of a request that has ended.
  package var digest: String {
    var bytes = CanonicalBytes()
    bytes.add(text)
    bytes.add(linesLeftOut)
    return SHA256.digest(of: bytes.bytes).hexadecimal
  }
}
