/// A table of the byte sequences that keys send. It contains those that nearly all terminals have in common,
/// and those in the terminal's own description.
struct KeySequences: Sendable {
  private var keys: [[UInt8]: Key] = [:]

  /// The sequences of xterm, VT220, rxvt and the Linux console, in both cursor key modes.
  static let common: KeySequences = {
    var table = KeySequences()
    let letters: [(Character, Key)] = [
      ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end),
    ]
    for (letter, key) in letters {
      table.add("\u{1b}[\(letter)", key)
      table.add("\u{1b}O\(letter)", key)
    }
    let numbers: [(Int, Key)] = [
      (1, .home), (3, .delete), (4, .end), (5, .pageUp), (6, .pageDown), (7, .home), (8, .end),
      (11, .function(1)), (12, .function(2)), (13, .function(3)), (14, .function(4)), (15, .function(5)),
      (17, .function(6)), (18, .function(7)), (19, .function(8)), (20, .function(9)), (21, .function(10)),
      (23, .function(11)), (24, .function(12)),
    ]
    for (number, key) in numbers { table.add("\u{1b}[\(number)~", key) }
    for (index, letter) in "PQRS".enumerated() { table.add("\u{1b}O\(letter)", .function(index + 1)) }
    for (index, letter) in "ABCDE".enumerated() { table.add("\u{1b}[[\(letter)", .function(index + 1)) }
    table.add("\u{1b}[Z", .backTab)
    table.add("\u{1b}OM", .enter)
    // The digits of a keypad that another program has left in its application mode.
    for (digit, letter) in "pqrstuvwxy".enumerated() {
      table.add("\u{1b}O\(letter)", .character(Character("\(digit)")))
    }
    return table
  }()

  /// The names that the keys have in the terminal's description.
  static let capabilities: [(name: String, key: Key)] =
    [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
      ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kcbt", .backTab), ("kent", .enter),
    ] + (1...12).map { ("kf\($0)", .function($0)) }

  func key(for sequence: [UInt8]) -> Key? { keys[sequence] }

  mutating func add(_ sequence: String, _ key: Key) { add(Array(sequence.utf8), key) }

  /// Adds a sequence. A sequence that does not start with Escape is ignored, because it is a character, and
  /// characters keep their meaning.
  mutating func add(_ sequence: [UInt8], _ key: Key) {
    guard sequence.first == 0x1b, sequence.count > 1 else { return }
    keys[sequence] = key
  }
}
