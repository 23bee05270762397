/// A program that only reads its input and prints, if it is given nothing but options and words that are listed here.
///
/// Behind a `|` no other command is certain, whatever else is allowed: the command before it would decide what it does.
struct InputReader: Sendable {
  /// Options of one letter.
  var flags = ""
  /// Options of one letter that take a number.
  var numbers = ""
  /// Options of one letter that take a text.
  var texts = ""
  /// How many words there may be that are not options. None of them is a file.
  var operands = 0...0
  /// Words that may not stand in an operand.
  var refused: [String] = []

  /// Whether a command only reads its input.
  static func accepts(_ words: [String]) -> Bool {
    words.first.flatMap { all[$0] }?.accepts(words.dropFirst()) == true
  }

  private static let all: [String: InputReader] = [
    "cat": InputReader(flags: "nAbs"),
    "column": InputReader(flags: "t", texts: "s"),
    "cut": InputReader(flags: "s", texts: "dfcb"),
    "grep": InputReader(flags: "ivcnoEFwxqhs", numbers: "ABCm", operands: 1...1),
    "head": InputReader(numbers: "nc"),
    "jq": InputReader(
      flags: "rceSs", operands: 0...1,
      refused: [
        "import", "include", "input", "env", "ENV", "__prog", "get_search_list", "modulemeta",
      ]),
    "nl": InputReader(),
    "rev": InputReader(),
    "sort": InputReader(flags: "nruh", texts: "kt"),
    "tail": InputReader(numbers: "nc"),
    "tr": InputReader(flags: "dscC", operands: 1...2),
    "uniq": InputReader(flags: "cdui"),
    "wc": InputReader(flags: "lwcmL"),
  ]

  private func accepts(_ words: ArraySlice<String>) -> Bool {
    var (rest, given) = (words, 0)
    while let word = rest.popFirst() {
      if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
        guard accepts(option: word.dropFirst(), &rest) else { return false }
      } else {
        guard word != "-", !refused.contains(where: { Array(word.utf8).contains(Array($0.utf8)) }) else {
          return false
        }
        given += 1
      }
    }
    return operands.contains(given)
  }

  /// Whether one word is a list of known options, as `-rn` is, of which the last can take the next word.
  private func accepts(option letters: Substring, _ rest: inout ArraySlice<String>) -> Bool {
    // `head -5` is `head -n 5`.
    if numbers.contains("n"), letters.isNumber { return true }
    for place in letters.indices where !flags.contains(letters[place]) {
      let glued = letters[letters.index(after: place)...]
      let isNumber = numbers.contains(letters[place])
      guard isNumber || texts.contains(letters[place]) else { return false }
      guard let value = glued.isEmpty ? rest.popFirst().map({ $0[...] }) : glued else { return false }
      // `tail -n +5` begins at the fifth line.
      return !isNumber || value.drop { $0 == "+" }.isNumber
    }
    return true
  }
}

extension Substring {
  /// Whether the text is a number of one to nine decimal digits.
  var isNumber: Bool { (1...9).contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
