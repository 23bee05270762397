/// A filter that shortens the bytes that curses sends for a frame.
///
/// In many terminal descriptions, the sequence that ends all attributes also selects the ASCII character set, in case
/// the line-drawing set was selected. This program never selects another set, so `ESC ( B` can be left out. Sequences
/// for attributes between two texts become one, without the attributes that the last reset among them ends. Movements
/// between two texts become one, too, and a short one if the cursor is in the same row or in the row above.
struct FrameBytes {
  /// The strings that a terminal's description must have for this filter.
  static let capabilities = [
    "sgr0": "\u{1b}(B\u{1b}[m", "cr": "\r", "cup": "\u{1b}[%i%p1%d;%p2%dH", "vpa": "\u{1b}[%i%p1%dd",
    "hpa": "\u{1b}[%i%p1%dG", "csr": "\u{1b}[%i%p1%d;%p2%dr", "indn": "\u{1b}[%p1%dS",
    "rin": "\u{1b}[%p1%dT", "ech": "\u{1b}[%p1%dX", "el": "\u{1b}[K",
  ]
  /// The flags that it must have: the cursor stays in the row whose last cell was filled, and can move while attributes
  /// are set.
  static let flags = ["xenl", "msgr"]

  private static let characterSet = Array("\u{1b}(B".utf8)

  private let size: Size
  private var result: [UInt8] = []
  private var cursor: CursorTrace
  private var blanks: BlankTrace
  /// The parameters of the sequence for attributes that is still to be sent.
  private var attributes: ArraySlice<UInt8>?
  /// The rows that the terminal scrolls.
  private var region: Range<Int>

  /// Returns fewer bytes that show the same on a screen of this size.
  ///
  /// - Parameter previous: The grid that the screen shows before these bytes, if that is certain.
  static func shortened(_ bytes: [UInt8], size: Size, since previous: Grid?) -> [UInt8] {
    var frame = FrameBytes(size, since: previous)
    frame.result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let first = rest.first { rest = rest.dropFirst(frame.take(first, of: rest)) }
    frame.sendWaiting()
    return frame.result
  }

  private init(_ size: Size, since previous: Grid?) {
    self.size = size
    cursor = CursorTrace(size, at: previous?.cursor?.position)
    blanks = BlankTrace(size, previous)
    region = 1..<size.height + 1
  }

  /// Takes the first text, control character or sequence, and returns the number of its bytes.
  private mutating func take(_ first: UInt8, of bytes: ArraySlice<UInt8>) -> Int {
    if first >= UInt8(ascii: " ") { return take(text: bytes.prefix { $0 >= UInt8(ascii: " ") }) }
    if first == UInt8(ascii: "\r") {
      cursor.move(toColumn: 1)
      return 1
    }
    if let sequence = ControlSequence(at: bytes) {
      take(sequence)
      return sequence.bytes.count
    }
    if bytes.starts(with: Self.characterSet) { return Self.characterSet.count }
    send(bytes.prefix(1))
    if first == UInt8(ascii: "\u{8}") { cursor.stepBack() } else { loseAll() }
    return 1
  }

  private mutating func take(text: ArraySlice<UInt8>) -> Int {
    sendWaiting()
    result += text
    let row = cursor.row
    cursor.advance(over: text)
    blanks.fill(row, before: cursor.columns.upperBound)
    return text.count
  }

  private mutating func take(_ sequence: ControlSequence) {
    if sequence.final == "m" { return attributes = Self.joined(attributes, sequence.parameters) }
    let numbers = sequence.numbers
    switch (sequence.final, numbers.count) {
    case ("H", 0): cursor.move(toRow: 1, column: 1)
    case ("H", 2): cursor.move(toRow: numbers[0], column: numbers[1])
    case ("d", 1): cursor.move(toRow: numbers[0])
    case ("G", 1): cursor.move(toColumn: numbers[0])
    case ("r", 2): scrollOnly(numbers[0]..<max(numbers[0], numbers[1]) + 1)
    case ("S", 1): scroll(sequence, by: numbers[0])
    case ("T", 1): scroll(sequence, by: -numbers[0])
    case ("X", 1), ("K", 0):
      if !blanks.isBlank(cursor.nextRow, from: cursor.nextColumn) { send(sequence.bytes) }
    case ("P", _), ("@", _):
      send(sequence.bytes)
      blanks.fill(cursor.row, before: .max)
    default:
      send(sequence.bytes)
      loseAll()
    }
  }

  private mutating func loseAll() {
    cursor.lose()
    blanks.fill(nil, before: .max)
  }
}

extension FrameBytes {
  /// Passes a sequence that sets the region. It also moves the cursor, so a movement before it has no effect.
  private mutating func scrollOnly(_ rows: Range<Int>) {
    region = rows
    cursor.lose(bottom: rows.upperBound - 1)
    let isAll = rows == 1..<size.height + 1
    sendWaiting()
    result.append(sequence: "r", isAll ? nil : rows.lowerBound, isAll ? nil : rows.upperBound - 1)
  }

  /// Passes a sequence that scrolls the region. It does not depend on the cursor, and does not move it.
  private mutating func scroll(_ sequence: ControlSequence, by rows: Int) {
    sendAttributes()
    result += sequence.bytes
    blanks.scroll(region, by: rows)
  }

  private mutating func send(_ bytes: some Sequence<UInt8>) {
    sendWaiting()
    result += bytes
  }

  private mutating func sendWaiting() {
    cursor.takeMovement(into: &result)
    sendAttributes()
  }

  private mutating func sendAttributes() {
    guard let attributes else { return }
    self.attributes = nil
    result += "\u{1b}[".utf8
    result += attributes
    result.append(UInt8(ascii: "m"))
  }

  /// Returns the parameters of one sequence with the effect of two, the second of which can begin with a reset.
  private static func joined(_ one: ArraySlice<UInt8>?, _ two: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let resets = two.isEmpty || two.first == UInt8(ascii: "0") || two.first == UInt8(ascii: ";")
    guard let one, !resets else { return two }
    return (one.isEmpty ? [UInt8(ascii: "0")] : one) + [UInt8(ascii: ";")] + two
  }
}
