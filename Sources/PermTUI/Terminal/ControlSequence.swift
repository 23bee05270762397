/// A complete sequence that begins with `ESC [`, with its parameters. Any other sequence has none, and means nothing.
struct ControlSequence: Equatable {
  private let final: UInt8
  /// The parameters, each with its parts: `1;5:2` has two parameters, of which the second has two parts. A parameter that
  /// is not a number is `nil`.
  private let parameters: [[Int?]]
  /// The sign before the parameters that makes the sequence private; `nil` if there is none.
  private let sign: UInt8?

  init(_ sequence: [UInt8]) {
    let isControl = sequence.starts(with: [0x1b, UInt8(ascii: "[")])
    let body = isControl ? sequence.dropFirst(2).dropLast() : []
    final = isControl ? sequence.last ?? 0 : 0
    sign = body.first.flatMap { (0x3c...0x3f).contains($0) ? $0 : nil }
    parameters = body.dropFirst(sign == UInt8(ascii: "<") ? 1 : 0).split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map {
      $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        .map { Int(String(decoding: $0, as: UTF8.self)) }
    }
  }

  private var isPrivate: Bool { sign != nil }

  static let pasteStart = ControlSequence(Array("\u{1b}[200~".utf8))

  /// Whether a terminal sends this by itself, and not for a key.
  var isReport: Bool { self == .pasteStart || focus != nil }

  /// The events that the sequence stands for, unless a table of keys has it.
  var events: [InputEvent] {
    if let focus { return [focus] }
    if let mouse { return [.mouse(mouse)] }
    switch phase {
    case .release: return []
    case .repeat: return [.repeated]
    case .press: return [key ?? .noise]
    }
  }

  private var focus: InputEvent? {
    guard parameters.isEmpty || parameters == [[nil]] else { return nil }
    return final == UInt8(ascii: "I") ? .focused : final == UInt8(ascii: "O") ? .unfocused : nil
  }

  private func number(_ place: Int) -> Int? {
    parameters.indices.contains(place) ? parameters[place].first.flatMap(\.self) : nil
  }
}

// MARK: - The mouse

extension ControlSequence {
  /// A turn of the wheel or a click, in the coding `ESC [ < button ; column ; row M`. Other buttons, modifiers, drags and
  /// releases mean nothing.
  private var mouse: MouseEvent? {
    guard sign == UInt8(ascii: "<"), final == UInt8(ascii: "M"), parameters.count == 3,
      let button = parameters[0].first.flatMap(\.self), let column = number(1), let row = number(2)
    else { return nil }
    switch button {
    case 0 where column > 0 && row > 0: return .click(Position(row: row - 1, column: column - 1))
    case 64: return .wheelUp
    case 65: return .wheelDown
    default: return nil
    }
  }
}

// MARK: - Keys with modifiers

extension ControlSequence {
  /// The phase of a key press, which kitty and similar terminals send after the modifiers, as in `ESC [ 97 ; 1 : 2 u`.
  private enum Phase: Int {
    case press = 1
    case `repeat`, release
  }

  private var phase: Phase {
    guard !isPrivate, parameters.count > 1, parameters[1].count == 2, let number = parameters[1][1] else {
      return .press
    }
    return Phase(rawValue: number) ?? .press
  }

  /// The key, in a protocol that sends the number of its character: `ESC [ 99 ; 5 u` is ^C in kitty's, and
  /// `ESC [ 27 ; 5 ; 99 ~` in xterm's (modifyOtherKeys). Only keys that are controls otherwise, too, are recognised: a
  /// letter in such a sequence is not typed by a person who uses this program.
  private var key: InputEvent? {
    guard !isPrivate else { return nil }
    switch final {
    case UInt8(ascii: "u"): return key(number(0), modifiers: number(1))
    case UInt8(ascii: "~") where number(0) == 27 && parameters.count == 3:
      return key(number(2), modifiers: number(1))
    default: return nil
    }
  }

  private func key(_ code: Int?, modifiers: Int?) -> InputEvent? {
    // The locks of capital letters and of the keypad do not change these keys.
    switch (code, ((modifiers ?? 1) - 1) & 0x3f) {
    case (let code?, 4) where (0x61...0x7a).contains(code): return InputDecoder.control(UInt8(code & 0x1f))
    case (27, 0): return .key(.escape)
    case (9, 1): return .key(.backTab)
    case (let code?, 0) where [9, 13, 127].contains(code): return InputDecoder.control(UInt8(code))
    default: return nil
    }
  }
}
