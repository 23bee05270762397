import PermModel

extension Day.Row {
  /// Returns the values of the request in words, in order. The words are not escaped.
  ///
  /// - Parameter words: Returns the words of a value.
  func what(_ words: (Atom) -> String) -> String {
    let words = values.map(words)
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

extension Day.Row {
  /// Returns the author of the answer and the time of it; for a rule, the decision that counted. The words are not escaped.
  func author(_ words: (Atom) -> String, _ time: (Timestamp) -> String) -> String {
    if let decision { return words(decision.atom) }
    guard let origin else { return text ?? "" }
    return (origin.isPerson ? "you" : origin.phrase) + (endedAt.map { " at \(time($0))" } ?? "")
  }

  var role: Style.Role {
    switch end {
    case .allowed, .allowedByRule: .allowed
    case .denied, .deniedByRule: .denied
    default: .normal
    }
  }
}

extension Origin {
  /// Whether the person at this machine acted, at whatever screen.
  fileprivate var isPerson: Bool {
    switch self {
    case .dashboard, .commandLine, .commandLineAlone, .terminal: true
    // The words are for the person at this machine.
    case .operator, .rule, .library: false
    }
  }
}

extension Day.Counts {
  /// The numbers with their names.
  var kinds: [(name: String, count: Int)] {
    [("asked", asked), ("by a rule", byRule), ("denied", denied), ("missed", missed)]
  }

  /// The numbers in words, without those that are 0.
  var words: String {
    kinds.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
  }
}
