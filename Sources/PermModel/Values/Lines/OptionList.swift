/// The options that a program may be given. Each is listed: an unknown one might run another program, or write a file.
struct OptionList: Hashable, Sendable {
  /// Options of one letter, which can be put together, as in `-la`.
  var flags = ""
  /// Options of one letter that take a number, as in `-n5` and `-n 5`.
  var numbers = ""
  /// Options of one letter that take a text.
  var texts = ""
  /// Whole words. `N` at the end of one stands for a number, and a text may follow a final `=`.
  var words: Set<String> = []
  /// Whole words that take the next one.
  var valued: Set<String> = []
  /// Options without which the program would do more.
  var required: Set<String> = []
  /// Whether a word that stands behind `--` is no option.
  var endsAtDashes = false
  /// Whether no word is an option.
  var areNone = false

  /// Words that are taken apart.
  struct Given: Hashable {
    /// The words that are not options.
    var operands: [String] = []
    /// The letters and whole words that are options.
    var options: Set<String> = []
  }

  /// Returns the operands and options among some words; `nil` if one of them is an option that is not listed.
  func read(_ words: ArraySlice<String>) -> Given? {
    if areNone { return Given(operands: Array(words)) }
    return taken(words).flatMap { required.isSubset(of: $0.options) ? $0 : nil }
  }

  private func taken(_ words: ArraySlice<String>) -> Given? {
    var (rest, given) = (words, Given())
    while let word = rest.popFirst() {
      if endsAtDashes, word == "--" {
        given.operands += rest
        return given.operands.contains { $0.hasPrefix("-") } ? nil : given
      }
      guard word.utf8.first == UInt8(ascii: "-") && word.utf8.count > 1 || self.words.contains(word) else {
        given.operands.append(word)
        continue
      }
      guard let options = options(word, &rest) else { return nil }
      given.options.formUnion(options)
    }
    return given
  }

  /// Returns the options in a word, the last of which can take the next word.
  private func options(_ word: String, _ rest: inout ArraySlice<String>) -> Set<String>? {
    if let known = listed(word) { return [known] }
    if valued.contains(word) { return rest.popFirst() == nil ? nil : [word] }
    return letters(word.dropFirst(), &rest)
  }

  /// Returns the listed word of which a word is one; `nil` if there is none.
  private func listed(_ word: String) -> String? {
    if words.contains(word) { return word.hasSuffix("N") || word.hasSuffix("=") ? nil : word }
    if let sign = word.firstRange(of: "="), words.contains(String(word[..<sign.upperBound])) {
      return String(word[..<sign.upperBound])
    }
    let stem = word.prefix { !$0.isASCII || !$0.isNumber }
    return word.dropFirst(stem.count).isNumber && words.contains("\(stem)N") ? "\(stem)N" : nil
  }

  private func letters(_ letters: Substring, _ rest: inout ArraySlice<String>) -> Set<String>? {
    // `head -5` is `head -n 5`.
    if numbers.contains("n"), letters.isNumber { return ["n"] }
    var found: Set<String> = []
    for place in letters.indices {
      found.insert(String(letters[place]))
      if flags.contains(letters[place]) { continue }
      let isNumber = numbers.contains(letters[place])
      guard isNumber || texts.contains(letters[place]) else { return nil }
      let glued = letters[letters.index(after: place)...]
      guard let value = glued.isEmpty ? rest.popFirst().map({ $0[...] }) : glued else { return nil }
      // `tail -n +5` begins at the fifth line.
      return !isNumber || value.drop { $0 == "+" }.isNumber ? found : nil
    }
    return found
  }
}

extension Substring {
  /// Whether the text is a number of one to nine decimal digits.
  var isNumber: Bool { (1...9).contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
