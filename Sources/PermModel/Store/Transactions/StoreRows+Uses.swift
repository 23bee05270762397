extension StoreRows {
  mutating func record(_ answer: AutomaticAnswer, at moment: Moment) throws {
    for used in answer.decisions {
      guard let standing = try decision(used.key), standing.saysTheSame(as: used) else { continue }
      try use(standing, by: answer.subject, at: moment)
    }
    if let entry = try recentEntry(like: answer, at: moment) {
      try countAgain(entry.id, at: moment.wall)
    } else {
      try journal(JournalEntry(answer, at: moment.wall))
    }
  }

  /// Marks a decision as used. An allow for a label alone becomes one for the program that used it; a deny
  /// goes on covering whatever asks under that label.
  private mutating func use(_ decision: Decision, by subject: Subject, at moment: Moment) throws {
    var used = decision
    used.lastUsed = moment.wall
    guard decision.subject.isUnbound, subject.path != nil, decision.verdict == .allow,
      subject.takesUnboundAllows
    else {
      return try put(used)
    }
    used.subject = subject
    try remove(decision.key)
    try change(.bound, DecisionStep(before: decision, after: used, origin: decision.origin, at: moment.wall))
  }

  /// The entry of the last minute that tells of the same automatic answer.
  private func recentEntry(like answer: AutomaticAnswer, at moment: Moment) throws -> JournalEntry? {
    let filter = JournalFilter(label: answer.subject.label, capability: answer.capability)
    let minute = (moment.wall + .seconds(-60))...moment.wall
    return try entries(filter, .newest(20)).first { entry in
      entry.kind == .automatic && entry.request == nil && minute.contains(entry.at)
        && entry.subject == answer.subject && entry.atoms == answer.atoms
        && entry.verdict == answer.verdict && entry.text == answer.reason
    }
  }
}

extension JournalEntry {
  init(_ answer: AutomaticAnswer, at moment: Timestamp) {
    self.init(
      at: moment, kind: .automatic, subject: answer.subject, capability: answer.capability,
      atoms: answer.atoms, verdict: answer.verdict, text: answer.reason)
  }
}
