import PermModel

extension Day.Row {
  /// Returns the values of the request in words, in order. The words are not escaped.
  func what(in catalogue: CapabilityCatalogue) -> String {
    let words = values.map { $0.valueWords(in: catalogue) }
    guard let first = words.first else { return capability ?? "" }
    return words.count == 1 ? first : "\(first), and \(words.count - 1) more"
  }

  /// How it ended, in a word or two; how often, if more than once.
  var outcome: String {
    let words = isKept && origin != nil ? "\(end.rawValue), kept" : end.rawValue
    return count > 1 ? "\(words), \(count) times" : words
  }

  /// The program's later report about the use, in words; empty if there was none.
  var used: String {
    let parts = [(uses.done, JournalEntry.done), (uses.failed, JournalEntry.failed)].filter { $0.0 > 0 }
    return parts.map { $0.0 == 1 ? $0.1 : "\($0.1) \($0.0) times" }.joined(separator: ", ")
  }
}

extension Day.Counts {
  /// The numbers in words, without those that are 0.
  var words: String {
    let parts = [
      (asked, "asked"), (byRule, "by a rule"), (denied, "denied"), (missed, "missed"),
    ].filter { $0.0 > 0 }
    return parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
