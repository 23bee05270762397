// The wording of decisions, which is the same on the screen, in plain mode and on the command line.

extension Verdict {
  package var past: String { self == .allow ? "allowed" : "denied" }
}

extension Atom {
  /// The word for what a mute is about.
  package static let wordForEverything = "everything"
}

extension Decision {
  /// The decision as a participle: `allowed`, `denied`, or `muted` if it denies everything.
  package var past: String { atom == .everything ? "muted" : verdict.past }
}

extension Origin {
  /// The origin as a noun for a table column, for example `command` or `dashboard 4711`.
  package var noun: String {
    switch self {
    case .dashboard: ["dashboard", pid].compactMap(\.self).joined(separator: " ")
    case .operator(let name, _): "operator \(name)"
    case .commandLine: "command"
    case .commandLineAlone: "command, without a broker"
    case .terminal: "own terminal"
    case .rule(let name): name
    case .library: "program"
    }
  }

  /// The origin as the end of a sentence, for example `by a command`.
  package var phrase: String {
    switch self {
    case .dashboard: "by a dashboard" + (pid.map { " (pid \($0))" } ?? "")
    case .operator: "by the \(noun)"
    case .commandLine, .commandLineAlone: "by a \(noun)"
    case .terminal: "at its \(noun)"
    case .broker: "by the \(noun)"
    case .rule: "by the rule \(noun)"
    case .library: "by the \(noun)"
    }
  }
}

extension DecisionResult {
  /// A sentence that says how many allows a denial has taken back; `nil` if there were none.
  package var wordsTakenBack: String? {
    switch takenBack {
    case 0: nil
    case 1: "This took back 1 allow inside of what is denied."
    default: "This took back \(takenBack) allows inside of what is denied."
    }
  }

  /// Creates the effect of the denials that journal entries record.
  package init(_ entries: [JournalEntry]) {
    let denials = entries.filter { $0.after?.verdict == .deny }
    let changes = Set(denials.compactMap(\.change))
    let takenBack = entries.filter { entry in
      entry.kind == .forgotten && entry.before?.verdict == .allow
        && entry.change.map(changes.contains) == true
    }
    self.init(denials.compactMap(\.after), takenBack: takenBack.count)
  }
}

extension Lifetime {
  /// Returns words for the end of a decision, for use in a table column: `forever`, `logout`, `pid 4711 ends`, or a
  /// formatted time.
  package func end(_ moment: (Timestamp) -> String) -> String {
    switch self {
    case .forever: "forever"
    case .session: "logout"
    case .process(let process): "pid \(process.pid) ends"
    case .until(let deadline): moment(deadline.wall)
    }
  }

  /// Returns words for the time during which a decision is in effect, for use in a sentence: `forever`, `until logout`.
  package func words(_ moment: (Timestamp) -> String) -> String {
    self == .forever ? "forever" : "until \(end(moment))"
  }
}

extension LifetimeChoice {
  /// Returns words for the time during which an answer is in effect, for use in a list: `this request`, `ten minutes`,
  /// `until pid 4711 ends`.
  ///
  /// - Parameters:
  ///   - evidence: The evidence about the program that asks, if it is known.
  ///   - moment: Formats times. If it is `nil`, a time is described only as `a date`.
  package func words(of evidence: Evidence?, _ moment: ((Timestamp) -> String)?) -> String {
    switch self {
    case .once: "this request"
    case .process where evidence?.walled != nil: "until the run ends"
    case .process: evidence.map { "until pid \($0.process.pid) ends" } ?? "until the program ends"
    case .session: "until logout"
    case .duration(let duration): duration.words
    case .until(let end): "until \(moment?(end) ?? "a date")"
    case .forever: "forever"
    }
  }

  /// Whether the words for this lifetime need *for* before them in a sentence.
  package var isSpan: Bool {
    switch self {
    case .once, .duration: true
    case .process, .session, .until, .forever: false
    }
  }
}

extension Duration {
  private static let numbers = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// The duration in words, in the largest unit that divides it evenly: `ten minutes`, `eight hours`, `20 seconds`.
  package var words: String {
    let seconds = components.seconds
    let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
    let (length, unit) = units.first { seconds >= $0.0 && seconds % $0.0 == 0 } ?? (1, "second")
    let count = Int(seconds / length)
    let number = Self.numbers.indices.contains(count) ? Self.numbers[count] : String(count)
    return "\(number) \(unit)\(count == 1 ? "" : "s")"
  }
}
