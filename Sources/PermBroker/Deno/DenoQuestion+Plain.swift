extension DenoQuestion {
  /// Reads a line in the form in which Deno writes nearly all of its questions: an object without blanks, whose values
  /// are `null`, numbers, and strings without escapes.
  ///
  /// - Returns: `nil` for every other line. A decoder, which takes twenty times as long, then reads or refuses it.
  init?(plain line: [UInt8]) {
    var reader = PlainReader(rest: line[...])
    var (version, id, pid): (UInt64?, UInt64?, UInt64?)
    var (permission, value): (String?, PlainReader.Value?)
    guard reader.take("{") else { return nil }
    repeat {
      guard let (name, found) = reader.field() else { return nil }
      // A question with two fields of the same name is refused.
      switch (name, found) {
      case ("v", .number(let number)) where version == nil: version = number
      case ("id", .number(let number)) where id == nil: id = number
      case ("pid", .number(let number)) where pid == nil: pid = number
      case ("permission", .string(let text)) where permission == nil: permission = text
      case ("value", .string) where value == nil, ("value", .null) where value == nil: value = found
      case ("datetime", .string): break
      default: return nil
      }
    } while reader.take(",")
    guard reader.take("}"), reader.rest.isEmpty, version == 1, let id, let permission, let value,
      let pid = pid.flatMap(Int64.init(exactly:))
    else { return nil }
    self.init(id: id, pid: pid, permission: permission, value: value.text)
  }
}

/// A reader of JSON without blanks, escapes and nested values.
private struct PlainReader {
  enum Value {
    case null
    case number(UInt64)
    case string(String)

    var text: String? { if case .string(let text) = self { text } else { nil } }
  }

  private(set) var rest: ArraySlice<UInt8>

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  /// Skips a character. Returns `false` if another one is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func field() -> (name: String, value: Value)? {
    guard let name = string(), take(":"), let value = value() else { return nil }
    return (name, value)
  }

  private mutating func value() -> Value? {
    switch rest.first {
    case UInt8(ascii: "\""): return string().map(Value.string)
    case UInt8(ascii: "n"):
      guard rest.starts(with: "null".utf8) else { return nil }
      rest.removeFirst(4)
      return .null
    default: return number().map(Value.number)
    }
  }

  private mutating func string() -> String? {
    guard take("\""),
      let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }),
      rest[end] == UInt8(ascii: "\""), let text = String(validating: rest[..<end], as: UTF8.self)
    else { return nil }
    rest = rest[(end + 1)...]
    return text
  }

  private mutating func number() -> UInt64? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard let first = digits.first, first != 0x30 || digits.count == 1 else { return nil }
    rest = rest[digits.endIndex...]
    return UInt64(String(decoding: digits, as: UTF8.self))
  }
}
