/// The last bytes that a program sent, in readable form.
struct ByteTranscript {
  private static let kept = 600

  /// The number of escape sequences, or of bytes that could start one.
  private(set) var escapes = 0
  private var last: [UInt8] = []

  mutating func append(_ bytes: [UInt8]) {
    escapes += bytes.count { $0 == 0x1b || $0 == 0x9b }
    last = Array((last + bytes).suffix(Self.kept))
  }

  /// The end of the transcript, with control characters spelled out.
  var tail: String {
    String(decoding: last, as: UTF8.self).unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x1b: "\\e"
      case 0x00..<0x20, 0x7f: "\\x" + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }.joined()
  }
}

/// An expectation that a test waited for in vain.
public struct UnmetExpectation: Error, CustomStringConvertible {
  public let what: String
  public let picture: ScreenPicture
  /// The last bytes of the program.
  public let tail: String

  public var description: String {
    "\(what). The screen:\n\(picture)The last bytes: \(tail)"
  }
}
