import Machine

/// A name of one entry in a folder, as the kernel sends it.
struct Name: Hashable {
  let bytes: [UInt8]

  /// - Throws: An error if the text is not a name of one component.
  init(_ text: UnsafePointer<CChar>) throws(Failure) {
    let bytes = Array(UnsafeRawBufferPointer(start: text, count: Self.length(text)))
    guard !bytes.isEmpty, bytes != Array(".".utf8), bytes != Array("..".utf8), !bytes.contains(0x2f) else {
      throw Failure(Self.invalid)
    }
    self.bytes = bytes
  }

  private static let invalid: Int32 = 22

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var end = text
    while end.pointee != 0 { end += 1 }
    return end - text
  }

  func with<Result>(_ body: (UnsafePointer<CChar>) throws(Failure) -> Result) throws(Failure) -> Result {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    return try text.withFailing(body)
  }
}

extension [CChar] {
  fileprivate func withFailing<Result>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = withUnsafeBufferPointer { buffer -> Swift.Result<Result, Failure> in
      guard let base = buffer.baseAddress else { return .failure(.stale) }
      return Swift.Result { () throws(Failure) in try body(base) }
    }
    return try outcome.get()
  }
}
