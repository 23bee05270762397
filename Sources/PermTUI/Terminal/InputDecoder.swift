/// A state machine that turns the bytes of a terminal into input events. It has no clock of its own: the
/// caller passes the time.
///
/// Curses can decode keys too, but it blocks after a lone Escape, passes the rest of an unknown sequence on as
/// characters, and cannot distinguish a paste from typing. For a program in which a single letter grants a permission,
/// none of that is acceptable. This decoder consumes every sequence as a whole, whether or not the sequence is known.
/// It also treats a byte that immediately follows Escape as part of a sequence, so Alt-y never counts as `y`.
struct InputDecoder {
  /// The time to wait for the rest of an incomplete sequence, in milliseconds. ``pastePatience`` is for a paste.
  private static let sequencePatience: Int64 = 1_000
  private static let pastePatience: Int64 = 1_000
  /// The time that must pass after the last byte of a stalled paste before bytes are treated as keys again,
  /// in milliseconds.
  private static let lostPastePatience: Int64 = 5_000
  /// The maximum number of bytes kept of one paste; the rest is discarded.
  static let pasteLimit = 65_536
  private static let sequenceLimit = 64

  private enum State {
    case ground
    /// The first bytes of a UTF-8 character, and the number of bytes that are still missing. A character that
    /// directly follows Escape is noise.
    case character(bytes: [UInt8], missing: Int, isAlternate: Bool)
    case escape
    case control([UInt8])
    case singleShift
    /// A string that the terminal sends, such as a colour or a name. It extends to its terminator.
    case string
    case stringEscape
    case paste([UInt8], ending: Int)
    /// The rest of a paste that stalled. None of its bytes is treated as a key, except ^C.
    case lostPaste(ending: Int)
  }

  private var state = State.ground
  private let sequences: KeySequences
  private let escapeDelay: Int64
  private let isUTF8: Bool
  /// The time when ``expire(now:)`` is due, in milliseconds of the monotonic clock; nil unless a sequence is
  /// incomplete.
  private(set) var deadline: Int64?

  init(sequences: KeySequences = .common, escapeDelay: Int64 = 25, isUTF8: Bool = true) {
    self.sequences = sequences
    self.escapeDelay = escapeDelay
    self.isUTF8 = isUTF8
  }

  /// Decodes bytes that arrived together.
  mutating func feed(_ bytes: some Sequence<UInt8>, now: Int64) -> [InputEvent] {
    var events: [InputEvent] = []
    for byte in bytes { step(byte, &events) }
    deadline = patience.map { now + $0 }
    switch state {
    case .paste, .lostPaste: events.append(.noise)
    default: break
    }
    return events
  }

  /// If the deadline has passed, stops waiting for the rest of an incomplete sequence. A lone Escape becomes the key
  /// Escape; anything else becomes noise.
  mutating func expire(now: Int64) -> [InputEvent] {
    guard let deadline, now >= deadline else { return [] }
    let expired = state
    state = .ground
    self.deadline = nil
    switch expired {
    case .escape: return [.key(.escape)]
    case .paste(_, let ending):
      state = .lostPaste(ending: ending)
      self.deadline = now + Self.lostPastePatience
      return [.noise]
    default: return [.noise]
    }
  }

  private var patience: Int64? {
    switch state {
    case .ground: nil
    case .escape: escapeDelay
    case .paste: Self.pastePatience
    case .lostPaste: Self.lostPastePatience
    case .character, .control, .singleShift, .string, .stringEscape: max(escapeDelay, Self.sequencePatience)
    }
  }

  private mutating func step(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground: ground(byte, isAlternate: false, &events)
    case .character(let bytes, let missing, let isAlternate):
      continueCharacter(bytes, missing, isAlternate, byte, &events)
    case .escape: escape(byte, &events)
    case .control(let bytes): control(bytes, byte, &events)
    case .singleShift: finish([0x1b, UInt8(ascii: "O"), byte], &events)
    case .string: string(byte, &events)
    case .stringEscape: stringEscape(byte, &events)
    case .paste(let bytes, let ending): paste(bytes, ending, byte, &events)
    case .lostPaste(let ending): passLostPaste(ending, byte, &events)
    }
  }
}

// MARK: - Characters

extension InputDecoder {
  private mutating func ground(_ byte: UInt8, isAlternate: Bool, _ events: inout [InputEvent]) {
    state = .ground
    switch byte {
    case 0x1b: state = .escape
    // ^C always works, even right after Escape.
    case 0x03: events.append(Self.control(byte))
    case 0x00..<0x20, 0x7f: events.append(isAlternate ? .noise : Self.control(byte))
    case 0x20..<0x7f:
      events.append(isAlternate ? .noise : .key(.character(Character(Unicode.Scalar(byte)))))
    case 0xc2...0xdf where isUTF8: state = .character(bytes: [byte], missing: 1, isAlternate: isAlternate)
    case 0xe0...0xef where isUTF8: state = .character(bytes: [byte], missing: 2, isAlternate: isAlternate)
    case 0xf0...0xf4 where isUTF8: state = .character(bytes: [byte], missing: 3, isAlternate: isAlternate)
    default: events.append(.noise)
    }
  }

  private static func control(_ byte: UInt8) -> InputEvent {
    switch byte {
    case 0x00: .noise
    case 0x08, 0x7f: .key(.backspace)
    case 0x09: .key(.tab)
    case 0x0a, 0x0d: .key(.enter)
    default: .key(.control(Character(Unicode.Scalar(byte | (byte <= 0x1a ? 0x60 : 0x40)))))
    }
  }

  private mutating func continueCharacter(
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

// MARK: - Sequences

extension InputDecoder {
  private mutating func escape(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x1b: events.append(.key(.escape))
    case UInt8(ascii: "["): state = .control([0x1b, byte])
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      state = .string
    default:
      if sequences.key(for: [0x1b, byte]) != nil {
        finish([0x1b, byte], &events)
      } else {
        ground(byte, isAlternate: true, &events)
      }
    }
  }

  private mutating func control(_ bytes: [UInt8], _ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x1b:
      events.append(.noise)
      state = .escape
    // The Linux console sends `ESC [ [ A` through `ESC [ [ E` for F1 through F5.
    case UInt8(ascii: "[") where bytes.count == 2: state = .control(bytes + [byte])
    case 0x20...0x3f:
      if bytes.count < Self.sequenceLimit { state = .control(bytes + [byte]) }
    case 0x40...0x7e: finish(bytes + [byte], &events)
    default:
      events.append(.noise)
      state = .ground
    }
  }

  private mutating func finish(_ sequence: [UInt8], _ events: inout [InputEvent]) {
    if sequence == Self.pasteStart {
      state = .paste([], ending: 0)
      return
    }
    state = .ground
    switch (sequence, Self.phase(of: sequence)) {
    case (Self.focusIn, _): events.append(.focused)
    case (Self.focusOut, _), (_, .release?): break
    case (_, .repeat?): events.append(.repeated)
    default: events.append(sequences.key(for: sequence).map(InputEvent.key) ?? .noise)
    }
  }

  private static let focusIn = Array("\u{1b}[I".utf8)
  private static let focusOut = Array("\u{1b}[O".utf8)

  /// The phase of a key press, which some terminals report. The initial phase needs no case.
  private enum Phase: UInt8 {
    case `repeat` = 0x32
    case release = 0x33
  }

  /// Returns the phase that kitty and similar terminals send after the modifiers, as in `ESC [ 97 ; 1 : 2 u`;
  /// `nil` if there is none.
  private static func phase(of sequence: [UInt8]) -> Phase? {
    let fields = sequence.dropLast().split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard sequence.starts(with: [0x1b, UInt8(ascii: "[")]), fields.count > 1 else { return nil }
    let parts = fields[1].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1].count == 1 ? parts[1].first.flatMap { Phase(rawValue: $0) } : nil
  }

  private mutating func string(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x07:
      events.append(.noise)
      state = .ground
    case 0x1b: state = .stringEscape
    default: break
    }
  }

  private mutating func stringEscape(_ byte: UInt8, _ events: inout [InputEvent]) {
    events.append(.noise)
    state = .ground
    if byte != UInt8(ascii: "\\") { escape(byte, &events) }
  }
}

// MARK: - Paste

extension InputDecoder {
  private static let pasteStart = Array("\u{1b}[200~".utf8)
  private static let pasteEnd = Array("\u{1b}[201~".utf8)

  /// Handles one byte of a paste. `ending` is the number of bytes of the end mark that directly precede this byte.
  private mutating func paste(_ bytes: [UInt8], _ ending: Int, _ byte: UInt8, _ events: inout [InputEvent]) {
    // The bytes are taken out of the state first, so that appending does not copy the whole paste for each byte.
    var bytes = bytes
    state = .ground
    var ending = ending
    if byte == Self.pasteEnd[ending] {
      ending += 1
    } else {
      keep(Self.pasteEnd.prefix(ending), &bytes)
      ending = byte == 0x1b ? 1 : 0
      if ending == 0 { keep([byte], &bytes) }
    }
    if ending == Self.pasteEnd.count {
      events.append(.paste(String(decoding: bytes, as: UTF8.self)))
    } else {
      state = .paste(bytes, ending: ending)
    }
  }

  /// Skips the bytes of a stalled paste up to its end mark. Only ^C still works.
  private mutating func passLostPaste(_ ending: Int, _ byte: UInt8, _ events: inout [InputEvent]) {
    if byte == 0x03 { return ground(byte, isAlternate: false, &events) }
    let seen = byte == Self.pasteEnd[ending] ? ending + 1 : byte == 0x1b ? 1 : 0
    state = seen == Self.pasteEnd.count ? .ground : .lostPaste(ending: seen)
    if seen == Self.pasteEnd.count { events.append(.noise) }
  }

  private func keep(_ more: some Collection<UInt8>, _ bytes: inout [UInt8]) {
    if bytes.count + more.count <= Self.pasteLimit { bytes.append(contentsOf: more) }
  }
}

/// Input from the person, or from the terminal itself.
enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// A whole bracketed paste. Its text is never interpreted as keys.
  case paste(String)
  /// A key is being held down. Some terminals report this; others just send the key again.
  case repeated
  /// The window has the focus again.
  case focused
  /// Input that is not a key: a reply from the terminal, an Alt combination, or an unknown or broken
  /// sequence. It has no meaning of its own, but it shows that there was input at that time.
  case noise
}
