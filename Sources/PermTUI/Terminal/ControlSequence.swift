/// A sequence such as `ESC [ 3 ; 4 H`.
struct ControlSequence {
  let bytes: ArraySlice<UInt8>
  /// The character that ends the sequence and says what it does.
  let final: Unicode.Scalar

  /// Reads the sequence at the beginning of `bytes`; `nil` if there is none, or only a part of one.
  init?(at bytes: ArraySlice<UInt8>) {
    let start = bytes.startIndex
    guard bytes.count > 2, bytes[start] == 0x1b, bytes[start + 1] == UInt8(ascii: "[") else { return nil }
    var end = start + 2
    while end < bytes.endIndex, (0x30..<0x40).contains(bytes[end]) { end += 1 }
    guard end < bytes.endIndex, (0x40..<0x7f).contains(bytes[end]) else { return nil }
    final = Unicode.Scalar(bytes[end])
    self.bytes = bytes[...end]
  }

  var parameters: ArraySlice<UInt8> { bytes[bytes.startIndex + 2..<bytes.endIndex - 1] }

  /// The parameters as numbers; empty if there are none.
  var numbers: [Int] {
    let parameters = parameters
    var numbers = parameters.isEmpty ? [] : [0]
    for byte in parameters {
      if byte == UInt8(ascii: ";") {
        numbers.append(0)
      } else {
        numbers[numbers.count - 1] = numbers[numbers.count - 1] &* 10 &+ Int(byte & 0xf)
      }
    }
    return numbers
  }
}

extension [UInt8] {
  /// Adds a sequence such as `ESC [ 3 ; 4 H`.
  mutating func append(sequence final: Unicode.Scalar, _ first: Int? = nil, _ second: Int? = nil) {
    self += [0x1b, UInt8(ascii: "[")]
    if let first { append(decimal: first) }
    if let second {
      append(UInt8(ascii: ";"))
      append(decimal: second)
    }
    append(UInt8(ascii: final))
  }

  private mutating func append(decimal number: Int) {
    if number > 9 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
