extension StoreRows {
  func record(_ answer: AutomaticAnswer, at moment: Moment) throws {
    for used in answer.decisions {
      guard let standing = try decision(used.key), standing.saysTheSame(as: used) else { continue }
      try use(standing, for: answer, at: moment)
    }
    let begin = answer.at ?? moment.wall
    // Equal answers within a minute share one entry.
    if let entry = try entry(of: answer.line, begunIn: (begin + .seconds(-60))...begin) {
      try count(entry, answer, at: answer.lastAt ?? moment.wall)
    } else {
      try journal(JournalEntry(answer, at: moment.wall), line: answer.line)
    }
  }

  /// Marks a decision as used. If the decision allows something for a label alone, it becomes a decision for the
  /// program that used it. A decision that denies something for a label continues to cover every program that asks
  /// under that label.
  private func use(_ decision: Decision, for answer: AutomaticAnswer, at moment: Moment) throws {
    var used = decision
    used.lastUsed = answer.lastAt ?? moment.wall
    let subject = answer.subject
    guard decision.subject.isUnbound, subject.path != nil, decision.verdict == .allow,
      subject.takesUnboundAllows
    else {
      return try noteUse(decision.key, at: used.lastUsed)
    }
    used.subject = subject
    try remove(decision.key)
    try change(.bound, DecisionStep(before: decision, after: used, origin: decision.origin, at: moment.wall))
  }
}

extension JournalEntry {
  init(_ answer: AutomaticAnswer, at moment: Timestamp) {
    self.init(
      at: answer.at ?? moment, kind: answer.kind, subject: answer.subject, capability: answer.capability,
      atoms: answer.atoms, verdict: answer.verdict, text: answer.reason)
    (decision, values) = (answer.basis, answer.values)
    count = answer.count
    if count > 1 { lastAt = answer.lastAt }
  }
}
