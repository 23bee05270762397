import PermModel

/// Automatic answers, summed up until they are written: a pure value.
///
/// All denials of a capability to one program for the same reason within a minute become one line of the journal,
/// whatever the program calls itself. Allowed requests are summed up by program, label and parts.
struct AnswerSums: Sendable {
  fileprivate enum Key: Hashable {
    case allowed(Subject, capability: String?, Set<Atom>, reason: String)
    case denied(Asker, kind: JournalEntry.Kind, capability: String?, reason: String)
    /// Denials beyond ``mostDenied``.
    case others(reason: String)
  }

  /// The maximum number of different denials with their own line per minute, even for a program that copies itself.
  static let mostDenied = 60

  /// The first answer of each kind in its minute; the others are counted in its line of the journal.
  private var firsts: [Key: AutomaticAnswer] = [:]
  private var pending: [Key: AutomaticAnswer] = [:]

  var isEmpty: Bool { pending.isEmpty }

  /// Counts an answer given at this moment.
  mutating func add(_ answer: AutomaticAnswer, at now: Timestamp) {
    let key = freshKey(of: answer, at: now)
    if firsts[key] == nil { firsts[key] = key.first(answer, at: now) }
    var sum = pending[key] ?? firsts[key]?.counted(0, from: now)
    sum?.add(answer, at: now)
    pending[key] = sum
  }

  /// Removes and returns the answers to be written, earliest first.
  mutating func take() -> [AutomaticAnswer] {
    defer { pending = [:] }
    return pending.values.sorted { ($0.at?.microseconds ?? 0) < ($1.at?.microseconds ?? 0) }
  }

  /// Puts back answers that could not be written.
  mutating func putBack(_ answers: [AutomaticAnswer]) {
    for var answer in answers {
      let key = Key(answer)
      if let newer = pending[key] { answer.add(newer, at: newer.lastAt ?? newer.at) }
      pending[key] = answer
    }
  }

  /// Returns the key under which an answer is counted, and forgets the lines that are older than a minute.
  private mutating func freshKey(of answer: AutomaticAnswer, at now: Timestamp) -> Key {
    let key = Key(answer)
    if let first = firsts[key], Self.isFresh(first, at: now) { return key }
    firsts = firsts.filter { Self.isFresh($1, at: now) }
    guard answer.verdict == .deny, firsts.keys.count(where: \.isDenial) >= Self.mostDenied else { return key }
    return .others(reason: answer.reason)
  }

  private static func isFresh(_ first: AutomaticAnswer, at now: Timestamp) -> Bool {
    guard let begin = first.at else { return false }
    return begin <= now && now - begin < .seconds(60)
  }
}

extension AnswerSums.Key {
  fileprivate init(_ answer: AutomaticAnswer) {
    self =
      switch answer.verdict {
      case .allow:
        .allowed(answer.subject, capability: answer.capability, answer.atoms, reason: answer.reason)
      case .deny:
        .denied(
          Asker(counting: answer.subject), kind: answer.kind, capability: answer.capability,
          reason: answer.reason)
      }
  }

  fileprivate var isDenial: Bool { if case .allowed = self { false } else { true } }

  /// Returns the answer that begins the line in the journal.
  fileprivate func first(_ answer: AutomaticAnswer, at now: Timestamp) -> AutomaticAnswer {
    var first = answer
    first.at = now
    guard case .others = self else { return first }
    first.subject = Subject(label: "other programs")
    first.capability = nil
    first.atoms = []
    first.decisions = []
    return first
  }
}

extension AutomaticAnswer {
  /// Returns the same answer with a count, beginning at this moment.
  fileprivate func counted(_ count: Int, from moment: Timestamp) -> AutomaticAnswer {
    var answer = self
    answer.count = count
    answer.at = moment
    return answer
  }

  /// Adds a newer answer of the same kind.
  fileprivate mutating func add(_ other: AutomaticAnswer, at moment: Timestamp?) {
    count += other.count
    lastAt = moment
    if capability != nil { atoms = other.atoms }
    decisions += other.decisions.filter { new in !decisions.contains { $0.key == new.key } }
  }
}
