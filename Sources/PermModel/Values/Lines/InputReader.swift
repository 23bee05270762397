/// A program that only reads its input and prints, if it is given nothing but options and words that are listed here.
///
/// Behind a `|` no other command is certain, whatever else is allowed: the command before it would decide what it does.
struct InputReader: Sendable {
  var options = OptionList()
  /// How many words there may be that are not options. None of them is a file.
  var operands = 0...0
  /// Words that may not stand in an operand.
  var refused: [String] = []

  /// Whether a command only reads its input.
  static func accepts(_ words: [String]) -> Bool {
    words.first.flatMap { all[$0] }?.accepts(words.dropFirst()) == true
  }

  private static let all: [String: InputReader] = [
    "cat": InputReader(options: OptionList(flags: "nAbs")),
    "column": InputReader(options: OptionList(flags: "t", texts: "s")),
    "cut": InputReader(options: OptionList(flags: "s", texts: "dfcb")),
    "grep": InputReader(options: OptionList(flags: "ivcnoEFwxqhs", numbers: "ABCm"), operands: 1...1),
    "head": InputReader(options: OptionList(numbers: "nc")),
    "jq": jq,
    "nl": InputReader(),
    "rev": InputReader(),
    "sort": InputReader(options: OptionList(flags: "nruh", texts: "kt")),
    "tail": InputReader(options: OptionList(numbers: "nc")),
    "tr": InputReader(options: OptionList(flags: "dscC"), operands: 1...2),
    "uniq": InputReader(options: OptionList(flags: "cdui")),
    "wc": InputReader(options: OptionList(flags: "lwcmL")),
  ]

  /// Whether a filter for `jq` reads nothing but the input, and none of the environment.
  static func isFilter(_ word: String) -> Bool { word != "-" && jq.isPlain(word) }

  private static let jq = InputReader(
    options: OptionList(flags: "rceSs"), operands: 0...1,
    refused: ["import", "include", "input", "env", "ENV", "__prog", "get_search_list", "modulemeta"])

  private func accepts(_ words: ArraySlice<String>) -> Bool {
    guard let given = options.read(words), operands.contains(given.operands.count) else { return false }
    return given.operands.allSatisfy { $0 != "-" && isPlain($0) }
  }

  /// Whether no refused word is in an operand.
  private func isPlain(_ word: String) -> Bool {
    !refused.contains { Array(word.utf8).contains(Array($0.utf8)) }
  }
}
