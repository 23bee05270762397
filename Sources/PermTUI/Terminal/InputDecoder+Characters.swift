extension InputDecoder {
  /// Handles a byte outside of any sequence.
  ///
  /// - Parameter isAlternate: Whether the byte directly follows Escape, so that it is no key.
  mutating func ground(_ byte: UInt8, isAlternate: Bool, _ events: inout [InputEvent]) {
    state = .ground
    switch byte {
    case 0x1b: state = .escape(isSecond: false)
    case 0x00..<0x20, 0x7f: events.append(isAlternate ? .noise : Self.control(byte))
    case 0x20..<0x7f:
      events.append(isAlternate ? .noise : .key(.character(Character(Unicode.Scalar(byte)))))
    case 0x80..<0xa0: introduce(byte, &events)
    case 0xc2...0xdf where isUTF8: state = .character(bytes: [byte], missing: 1, isAlternate: isAlternate)
    case 0xe0...0xef where isUTF8: state = .character(bytes: [byte], missing: 2, isAlternate: isAlternate)
    case 0xf0...0xf4 where isUTF8: state = .character(bytes: [byte], missing: 3, isAlternate: isAlternate)
    default: events.append(.noise)
    }
  }

  static func control(_ byte: UInt8) -> InputEvent {
    switch byte {
    case 0x00: .noise
    case 0x08, 0x7f: .key(.backspace)
    case 0x09: .key(.tab)
    case 0x0a, 0x0d: .key(.enter)
    default: .key(.control(Character(Unicode.Scalar(byte | (byte <= 0x1a ? 0x60 : 0x40)))))
    }
  }

  mutating func continueCharacter(
    _ bytes: [UInt8], _ missing: Int, _ isAlternate: Bool, _ byte: UInt8, _ events: inout [InputEvent]
  ) {
    guard byte & 0xc0 == 0x80 else {
      events.append(.noise)
      return ground(byte, isAlternate: false, &events)
    }
    let bytes = bytes + [byte]
    guard missing == 1 else {
      state = .character(bytes: bytes, missing: missing - 1, isAlternate: isAlternate)
      return
    }
    state = .ground
    if bytes[0] == 0xc2, byte < 0xa0 { return introduce(byte, &events) }
    events.append(isAlternate ? .noise : Self.character(bytes))
  }

  private static func character(_ bytes: [UInt8]) -> InputEvent {
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else { return .noise }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      return .noise
    default:
      return .key(.character(Character(scalar)))
    }
  }
}
