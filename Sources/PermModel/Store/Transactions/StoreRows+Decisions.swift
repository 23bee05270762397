extension StoreRows {
  /// Removes decisions that are over, and journals each with the moment of its end, in the order in which they
  /// ended.
  mutating func expire(at moment: Moment) throws {
    let ended = try decisionsThatMayBeOver(at: moment)
      .compactMap { decision in decision.lifetime.end(asOf: moment).map { (decision: decision, end: $0) } }
      .sorted { one, other in
        guard one.end == other.end else { return one.end < other.end }
        return DecisionOrder.program.comes(one.decision, before: other.decision)
      }
    for (decision, end) in ended { try change(.expired, DecisionStep(before: decision, at: end)) }
  }

  func standing(of subject: Subject, capability: String, at moment: Moment) throws -> Standing {
    let glance = try glance(at: subject, capability: capability)
    var standing = Standing(suspension: glance.suspension)
    for decision in glance.decisions where decision.isInForce(at: moment) {
      if decision.atom == .everything {
        standing.mute = decision
      } else if standing.decisions[decision.atom]?.subject.isUnbound ?? true {
        standing.decisions[decision.atom] = decision
      }
    }
    return standing
  }

  mutating func decide(_ rulings: [Ruling], by origin: Origin, at moment: Moment) throws -> [Decision] {
    let decisions = rulings.flatMap { $0.decisions(by: origin, at: moment) }
    guard !decisions.isEmpty else { throw StoreError.nothingToKeep }
    try keep(decisions, as: .decided, by: origin, at: moment)
    return decisions
  }

  /// Puts decisions in as they are, except those that stand so already or are over.
  mutating func importDecisions(
    _ decisions: [Decision], by origin: Origin, at moment: Moment
  ) throws -> [Decision] {
    let new = try decisions.filter { decision in
      let found = try self.decision(decision.key)
      return decision.isInForce(at: moment) && !decision.saysTheSame(as: found)
    }
    try keep(new, as: .imported, by: origin, at: moment)
    return new
  }

  mutating func keep(
    _ decisions: [Decision], as kind: JournalEntry.Kind, by origin: Origin, at moment: Moment
  ) throws {
    var id: DecisionChange.ID?
    for after in decisions {
      let before = try decision(after.key)
      id = try change(
        kind, DecisionStep(before: before, after: after, origin: origin, at: moment.wall), in: id)
    }
  }

  mutating func forget(_ filter: DecisionFilter, by origin: Origin, at moment: Moment) throws -> [Decision] {
    let forgotten = try decisions(filter, order: .program, after: nil, limit: .max)
    var id: DecisionChange.ID?
    for before in forgotten {
      id = try change(.forgotten, DecisionStep(before: before, origin: origin, at: moment.wall), in: id)
    }
    return forgotten
  }

  mutating func setSuspended(_ isSuspended: Bool, by origin: Origin, at moment: Moment) throws {
    guard try (suspension() != nil) != isSuspended else { return }
    try setSuspension(isSuspended ? Suspension(since: moment.wall, origin: origin) : nil)
    try journal(JournalEntry(at: moment.wall, kind: isSuspended ? .suspended : .resumed, origin: origin))
  }
}
