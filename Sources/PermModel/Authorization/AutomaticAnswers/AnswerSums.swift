/// Sums of automatic answers that have not been written yet. A pure value.
struct AnswerSums: Sendable {
  /// The maximum number of denials per minute that get their own line in the journal. Even a program that makes copies
  /// of itself cannot exceed it.
  static let mostDenied = 60
  /// The maximum number of these denials for one program.
  static let mostDeniedOfProgram = 20
  /// The number of lines and decisions at which the sums are full.
  private static let most = 1_000

  private var pending: [AutomaticAnswer.Line: AutomaticAnswer] = [:]
  /// The number of lines in ``pending``, and of their decisions.
  private var size = 0
  /// The time at which each line of denials began, for the lines of the last minute.
  private var denied: [AutomaticAnswer.Line: Timestamp] = [:]

  var isEmpty: Bool { pending.isEmpty }

  /// Whether the sums should be written before further answers are added. Otherwise further answers are counted as
  /// answers to other programs, so that the sums stay bounded even if they cannot be written.
  var isFull: Bool { size >= Self.most }

  mutating func add(_ answer: AutomaticAnswer, at now: Timestamp) {
    var answer = answer
    (answer.at, answer.lastAt) = (now, now)
    insert(isFull ? answer.ofOtherPrograms : limited(answer, at: now))
  }

  /// Removes and returns the answers to be written, earliest first.
  mutating func take() -> [AutomaticAnswer] {
    defer { (pending, size) = ([:], 0) }
    return pending.values.sorted { ($0.at?.microseconds ?? 0) < ($1.at?.microseconds ?? 0) }
  }

  /// Puts back answers that could not be written.
  mutating func putBack(_ answers: [AutomaticAnswer]) {
    let newer = take()
    for answer in answers + newer { insert(answer) }
  }

  private mutating func insert(_ answer: AutomaticAnswer) {
    let line = answer.line
    guard let place = pending.index(forKey: line) else {
      pending[line] = answer
      size += 1 + answer.decisions.count
      return
    }
    let before = pending.values[place].decisions.count
    pending.values[place].add(answer, withDecisions: !isFull)
    size += pending.values[place].decisions.count - before
  }

  /// Returns the answer in the form in which it is counted, so that neither one program nor many begin too many lines
  /// for denials.
  private mutating func limited(_ answer: AutomaticAnswer, at now: Timestamp) -> AutomaticAnswer {
    guard answer.verdict == .deny, !isFresh(denied[answer.line], at: now) else { return answer }
    denied = denied.filter { isFresh($1, at: now) }
    var answer = answer
    if denied.keys.count(where: { $0.subject == answer.line.subject }) >= Self.mostDeniedOfProgram {
      answer.basis = nil
    }
    guard denied[answer.line] == nil else { return answer }
    guard denied.count < Self.mostDenied else { return answer.ofOtherPrograms }
    denied[answer.line] = now
    return answer
  }

  private func isFresh(_ begin: Timestamp?, at now: Timestamp) -> Bool {
    guard let begin else { return false }
    return begin <= now && now - begin < .seconds(60)
  }
}

extension AutomaticAnswer {
  /// The answer in the form in which it is counted together with answers to other programs.
  fileprivate var ofOtherPrograms: AutomaticAnswer {
    var answer = self
    answer.subject = Subject(label: "other programs")
    (answer.capability, answer.atoms, answer.basis) = (nil, [], nil)
    return answer
  }

  /// Adds a newer answer of the same line to this sum.
  fileprivate mutating func add(_ newer: AutomaticAnswer, withDecisions: Bool) {
    count += newer.count
    (atoms, lastAt) = (newer.atoms, newer.lastAt)
    addValues(newer.values)
    guard withDecisions else { return }
    decisions += newer.decisions.filter { new in !decisions.contains { $0.key == new.key } }
  }
}
