import PermModel

/// Automatic answers, summed up until they are written: a pure value.
///
/// All that one program is denied of a capability for the same reason in one minute is one line of the journal,
/// whatever the program calls itself. What is allowed is summed up by program, label and parts.
struct AnswerSums: Sendable {
  fileprivate enum Key: Hashable {
    case allowed(Subject, capability: String?, Set<Atom>, reason: String)
    case denied(Asker, kind: JournalEntry.Kind, capability: String?, reason: String)
    /// Denials beyond ``mostDenied``.
    case others(reason: String)
  }

  /// Different denials that get a line of their own in a minute. A program that copies itself gets no more.
  static let mostDenied = 60

  /// The first answer of each kind in its minute: it has the line of the journal in which the others are counted.
  private var firsts: [Key: AutomaticAnswer] = [:]
  private var pending: [Key: AutomaticAnswer] = [:]

  var isEmpty: Bool { pending.isEmpty }

  /// Counts an answer that is given now.
  mutating func add(_ answer: AutomaticAnswer, at now: Timestamp) {
    let key = freshKey(of: answer, at: now)
    if firsts[key] == nil { firsts[key] = key.first(answer, at: now) }
    var sum = pending[key] ?? firsts[key]?.counted(0, from: now)
    sum?.add(answer, at: now)
    pending[key] = sum
  }

  /// Takes out what is to be written, the earliest first.
  mutating func take() -> [AutomaticAnswer] {
    defer { pending = [:] }
    return pending.values.sorted { ($0.at?.microseconds ?? 0) < ($1.at?.microseconds ?? 0) }
  }

  /// Puts back what could not be written.
  mutating func putBack(_ answers: [AutomaticAnswer]) {
    for var answer in answers {
      let key = Key(answer)
      if let newer = pending[key] { answer.add(newer, at: newer.lastAt ?? newer.at) }
      pending[key] = answer
    }
  }

  /// Where an answer is counted, after the lines that are older than a minute are forgotten.
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

  /// The answer that the line in the journal begins with.
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
  /// The same answer, given so many times from a moment on.
  fileprivate func counted(_ count: Int, from moment: Timestamp) -> AutomaticAnswer {
    var answer = self
    answer.count = count
    answer.at = moment
    return answer
  }

  /// Counts another answer of the same kind, which is the newer one.
  fileprivate mutating func add(_ other: AutomaticAnswer, at moment: Timestamp?) {
    count += other.count
    lastAt = moment
    if capability != nil { atoms = other.atoms }
    decisions += other.decisions.filter { new in !decisions.contains { $0.key == new.key } }
  }
}
