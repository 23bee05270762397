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
  /// The time that must pass after an Escape in the rest of a stalled paste before that Escape counts as a key, in
  /// milliseconds. The mark at the end of a paste begins with an Escape, too.
  private static let stalledEscapePatience: Int64 = 500
  /// The maximum number of bytes kept of one paste; the rest is discarded.
  static let pasteLimit = 65_536
  static let sequenceLimit = 64

  enum State {
    case ground
    /// The first bytes of a UTF-8 character, and the number of bytes that are still missing. A character that
    /// directly follows Escape is noise.
    case character(bytes: [UInt8], missing: Int, isAlternate: Bool)
    /// After an Escape, or after two of them.
    case escape(isSecond: Bool)
    /// After an Escape and a sign that others must follow, as in VT52's `ESC ? p`.
    case intermediate
    case control([UInt8], isAlternate: Bool)
    case singleShift([UInt8], isAlternate: Bool)
    /// The raw characters after a sequence, as in the oldest reports of the mouse.
    case rawReport(RawReport)
    /// A string that the terminal sends, such as a colour or a name. It extends to its terminator.
    case string(StringText)
    case stringEscape
    case paste([UInt8], ending: Int)
    /// The rest of a paste that stalled. None of its bytes is treated as a key, except ^C and a lone Escape.
    case stalledPaste(ending: Int)
  }

  var state = State.ground
  let sequences: KeySequences
  private let escapeDelay: Int64
  let isUTF8: Bool
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
    case .paste: events.append(.noise)
    case .stalledPaste: events.append(.stalled)
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
    case .escape(isSecond: false): return [.key(.escape)]
    case .escape(isSecond: true): return [.key(.escape), .key(.escape)]
    case .paste(_, let ending):
      state = .stalledPaste(ending: ending)
      return [.noise]
    default: return [.noise]
    }
  }

  private var patience: Int64? {
    switch state {
    case .ground: nil
    case .escape: escapeDelay
    case .paste: Self.pastePatience
    case .stalledPaste(let ending): ending == 1 ? Self.stalledEscapePatience : nil
    default: max(escapeDelay, Self.sequencePatience)
    }
  }

  private mutating func step(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .paste(let bytes, let ending): paste(bytes, ending, byte, &events)
    // ^C always works, whatever is incomplete. No sequence contains it.
    case _ where byte == 0x03: interrupt(&events)
    case .ground: ground(byte, isAlternate: false, &events)
    case .character(let bytes, let missing, let isAlternate):
      continueCharacter(bytes, missing, isAlternate, byte, &events)
    case .escape(let isSecond): escape(byte, isSecond: isSecond, &events)
    case .intermediate: intermediate(byte, &events)
    case .control(let bytes, let isAlternate): control(bytes, isAlternate, byte, &events)
    case .singleShift(let bytes, let isAlternate): singleShift(bytes, isAlternate, byte, &events)
    case .rawReport(let report): rawReport(report, byte, &events)
    case .string(let text): string(text, byte, &events)
    case .stringEscape: stringEscape(byte, &events)
    case .stalledPaste(let ending): passStalledPaste(ending, byte, &events)
    }
  }

  private mutating func interrupt(_ events: inout [InputEvent]) {
    switch state {
    case .ground, .escape: break
    default: events.append(.noise)
    }
    state = .ground
    events.append(.key(.control("c")))
  }
}
