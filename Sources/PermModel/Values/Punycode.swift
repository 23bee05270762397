/// The decoding of host names with letters outside ASCII, as specified by RFC 3492.
enum Punycode {
  private static let base = 36
  private static let (leastThreshold, greatestThreshold) = (1, 26)
  private static let (skew, damp, initialBias, firstScalar) = (38, 700, 72, 128)

  /// Returns the text that a label stands for, without its prefix `xn--`; `nil` if the label is malformed.
  static func decode(_ label: some StringProtocol) -> String? {
    let bytes = Array(label.utf8)
    let dash = bytes.lastIndex(of: UInt8(ascii: "-"))
    let plain = bytes[..<(dash ?? 0)]
    guard plain.allSatisfy({ $0 < 0x80 }) else { return nil }
    var scalars = plain.map { Unicode.Scalar($0) }
    var (rest, position, value, bias) = (bytes[(dash.map { $0 + 1 } ?? 0)...], 0, firstScalar, initialBias)
    while !rest.isEmpty {
      guard let step = number(&rest, bias) else { return nil }
      bias = adapt(step, scalars.count + 1, isFirst: position == 0)
      position += step
      value += position / (scalars.count + 1)
      position %= scalars.count + 1
      guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { return nil }
      scalars.insert(scalar, at: position)
      position += 1
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Reads a number of variable length, and removes its digits. Returns `nil` if it is malformed or too great.
  private static func number(_ digits: inout ArraySlice<UInt8>, _ bias: Int) -> Int? {
    var (result, weight) = (0, 1)
    for place in 1... {
      guard let digit = digits.popFirst().flatMap(digit) else { return nil }
      result += digit * weight
      let threshold = min(max(place * base - bias, leastThreshold), greatestThreshold)
      if digit < threshold { return result }
      weight *= base - threshold
      guard weight < 1 << 40, result < 1 << 40 else { return nil }
    }
    return nil
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 0x61
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 0x41
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 0x30 + 26
    default: nil
    }
  }

  private static func adapt(_ step: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? step / damp : step / 2
    delta += delta / count
    var bias = 0
    while delta > (base - leastThreshold) * greatestThreshold / 2 {
      delta /= base - leastThreshold
      bias += base
    }
    return bias + (base - leastThreshold + 1) * delta / (delta + skew)
  }
}

extension Host {
  /// The name with the letters that its labels stand for; `nil` if the name has no such labels, or a malformed one.
  package var decoded: String? {
    let prefix = "xn--"
    guard labels.contains(where: { $0.hasPrefix(prefix) }) else { return nil }
    let decoded = labels.map { label in
      label.hasPrefix(prefix) ? Punycode.decode(label.dropFirst(prefix.count)) : String(label)
    }
    return decoded.contains(nil) ? nil : decoded.compactMap(\.self).joined(separator: ".")
  }
}
