extension InputDecoder {
  mutating func escape(_ byte: UInt8, isSecond: Bool, _ events: inout [InputEvent]) {
    let isKey = sequences.key(for: [0x1b, byte]) != nil
    switch byte {
    case 0x1b:
      if isSecond { events.append(.key(.escape)) }
      state = .escape(isSecond: true)
    case UInt8(ascii: "["): state = .control([0x1b, byte], isAlternate: isSecond)
    case UInt8(ascii: "O"): state = .singleShift([0x1b, byte], isAlternate: isSecond)
    case _ where isKey: finish([0x1b, byte], isAlternate: isSecond, &events)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      state = .string(StringText())
    case 0x20...0x2f, UInt8(ascii: "?"): state = .intermediate
    default:
      if isSecond { events.append(.key(.escape)) }
      ground(byte, isAlternate: true, &events)
    }
  }

  /// Handles a control character of eight bits. It stands for Escape and another character, as terminals send it that
  /// were told to use eight bits.
  mutating func introduce(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte - 0x40 {
    case UInt8(ascii: "["), UInt8(ascii: "O"), UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"),
      UInt8(ascii: "^"), UInt8(ascii: "X"):
      escape(byte - 0x40, isSecond: false, &events)
    default:
      events.append(.noise)
      state = .ground
    }
  }

  mutating func intermediate(_ byte: UInt8, _ events: inout [InputEvent]) {
    if (0x20...0x2f).contains(byte) { return }
    events.append(.noise)
    state = byte == 0x1b ? .escape(isSecond: false) : .ground
  }

  mutating func control(
    _ bytes: [UInt8], _ isAlternate: Bool, _ byte: UInt8, _ events: inout [InputEvent]
  ) {
    switch byte {
    // The Linux console sends `ESC [ [ A` through `ESC [ [ E` for F1 through F5.
    case UInt8(ascii: "[") where bytes.count == 2: state = .control(bytes + [byte], isAlternate: isAlternate)
    // rxvt's keys with Shift end with a sign that begins the end of other sequences, which have more parameters.
    case UInt8(ascii: "$") where Self.isShortNumber(bytes.dropFirst(2)):
      finish(bytes + [byte], isAlternate: isAlternate, &events)
    case 0x20...0x3f:
      if bytes.count < Self.sequenceLimit { state = .control(bytes + [byte], isAlternate: isAlternate) }
    case 0x40...0x7e: finish(bytes + [byte], isAlternate: isAlternate, &events)
    default: interrupt(by: byte, &events)
    }
  }

  private static func isShortNumber(_ bytes: some Collection<UInt8>) -> Bool {
    (1...2).contains(bytes.count) && bytes.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
  }

  /// Handles a sequence such as `ESC O P`, or `ESC O 2 P` with the number of its modifiers.
  mutating func singleShift(
    _ bytes: [UInt8], _ isAlternate: Bool, _ byte: UInt8, _ events: inout [InputEvent]
  ) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: ";"):
      if bytes.count < Self.sequenceLimit { state = .singleShift(bytes + [byte], isAlternate: isAlternate) }
    case 0x20...0x7e: finish(bytes + [byte], isAlternate: isAlternate, &events)
    default: interrupt(by: byte, &events)
    }
  }

  /// Handles a byte that does not belong into the sequence. Terminals obey control characters within a sequence, and go on
  /// with it, except that two of them cancel it.
  private mutating func interrupt(by byte: UInt8, _ events: inout [InputEvent]) {
    events.append(.noise)
    switch byte {
    case 0x18, 0x1a: state = .ground
    case 0x1b: state = .escape(isSecond: false)
    case 0x80...: ground(byte, isAlternate: true, &events)
    default: break
    }
  }

  /// Handles a complete sequence.
  ///
  /// - Parameter isAlternate: Whether another Escape came right before it, as for Alt and a key in some terminals.
  private mutating func finish(_ sequence: [UInt8], isAlternate: Bool, _ events: inout [InputEvent]) {
    let control = ControlSequence(sequence)
    if isAlternate, control.isReport { events.append(.key(.escape)) }
    state = .ground
    if control == .pasteStart {
      state = .paste([], ending: 0)
    } else if let key = sequences.key(for: sequence) {
      events.append(isAlternate ? .noise : .key(key))
    } else if let report = RawReport(after: sequence) {
      state = .rawReport(report)
    } else {
      events += isAlternate && !control.isReport ? [.noise] : control.events
    }
  }
}

// MARK: - Raw reports

/// The raw characters that some sequences are followed by. None of them is a key.
struct RawReport {
  /// The number of characters that are still missing.
  private(set) var missing: Int
  /// Whether the last byte can begin a character of two bytes, in which some terminals report distant columns.
  private(set) var canGoOn = false

  /// Returns `nil` if the sequence is followed by nothing.
  init?(after sequence: [UInt8]) {
    guard sequence.starts(with: [0x1b, UInt8(ascii: "[")]), sequence.count == 3 else { return nil }
    switch sequence[2] {
    case UInt8(ascii: "M"): missing = 3
    case UInt8(ascii: "t"): missing = 2
    case UInt8(ascii: "T"): missing = 6
    default: return nil
    }
  }

  /// Takes a byte. Returns `false` if it does not belong to the report any more.
  mutating func take(_ byte: UInt8) -> Bool {
    if canGoOn, (0x80...0xbf).contains(byte) {
      canGoOn = false
      return true
    }
    guard missing > 0 else { return false }
    missing -= 1
    canGoOn = (0xc2...0xdf).contains(byte)
    return true
  }

  var isComplete: Bool { missing == 0 && !canGoOn }
}

extension InputDecoder {
  mutating func rawReport(_ report: RawReport, _ byte: UInt8, _ events: inout [InputEvent]) {
    var report = report
    if byte != 0x1b, report.take(byte) {
      state = report.isComplete ? .ground : .rawReport(report)
      if report.isComplete { events.append(.noise) }
    } else {
      events.append(.noise)
      ground(byte, isAlternate: false, &events)
    }
  }
}

// MARK: - Strings

/// The text of a string that the terminal sends, as far as it matters for finding its end.
struct StringText {
  /// The first byte of the character that is incomplete, and the number of its bytes that are missing.
  private var first: UInt8 = 0
  private var missing = 0

  /// Takes a byte. Returns whether it is the terminator of eight bits, which is not part of another character.
  mutating func endsString(with byte: UInt8) -> Bool {
    guard (0x80...0xbf).contains(byte) else {
      first = byte
      missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0
      return false
    }
    let isAlone = missing == 0 || first == 0xc2
    missing = max(0, missing - 1)
    return byte == 0x9c && isAlone
  }
}

extension InputDecoder {
  mutating func string(_ text: StringText, _ byte: UInt8, _ events: inout [InputEvent]) {
    var text = text
    let isEnd = text.endsString(with: byte) || [0x07, 0x18, 0x1a].contains(byte)
    switch byte {
    case 0x1b: state = .stringEscape
    case _ where isEnd:
      events.append(.noise)
      state = .ground
    default: state = .string(text)
    }
  }

  mutating func stringEscape(_ byte: UInt8, _ events: inout [InputEvent]) {
    events.append(.noise)
    state = .ground
    if byte != UInt8(ascii: "\\") { escape(byte, isSecond: false, &events) }
  }
}
