extension StoreRows {
  func record(_ answer: AutomaticAnswer, at moment: Moment) throws {
    for used in answer.decisions {
      guard let standing = try decision(used.key), standing.saysTheSame(as: used) else { continue }
      try use(standing, by: answer.subject, at: moment)
    }
    if let entry = try recentEntry(like: answer, at: moment) {
      try count(entry.id, answer, at: answer.lastAt ?? moment.wall)
    } else {
      try journal(JournalEntry(answer, at: moment.wall))
    }
  }

  /// Marks a decision as used. If the decision allows something for a label alone, it becomes a decision for the
  /// program that used it. A decision that denies something for a label continues to cover every program that asks
  /// under that label.
  private func use(_ decision: Decision, by subject: Subject, at moment: Moment) throws {
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

  /// The number of entries to search for a similar one, counted from the newest.
  private static var recent: Int { 100 }

  /// Returns an entry from the last minute that records the same automatic answer.
  ///
  /// Denials of one program count as the same answer even if the program asks under another label or for other parts.
  private func recentEntry(like answer: AutomaticAnswer, at moment: Moment) throws -> JournalEntry? {
    let label = answer.verdict == .allow ? answer.subject.label : nil
    let filter = JournalFilter(label: label, capability: answer.capability)
    let minute = (moment.wall + .seconds(-60))...moment.wall
    return try entries(filter, .newest(Self.recent)).first { entry in
      entry.kind == answer.kind && entry.request == nil && minute.contains(entry.at)
        && entry.verdict == answer.verdict && entry.text == answer.reason
        && entry.capability == answer.capability && entry.isBySame(as: answer)
    }
  }
}

extension JournalEntry {
  init(_ answer: AutomaticAnswer, at moment: Timestamp) {
    self.init(
      at: answer.at ?? moment, kind: answer.kind, subject: answer.subject, capability: answer.capability,
      atoms: answer.atoms, verdict: answer.verdict, text: answer.reason)
    count = answer.count
    if count > 1 { lastAt = answer.lastAt }
  }

  fileprivate func isBySame(as answer: AutomaticAnswer) -> Bool {
    guard answer.verdict == .deny else { return subject == answer.subject && atoms == answer.atoms }
    return subject?.programText == answer.subject.programText
  }
}
