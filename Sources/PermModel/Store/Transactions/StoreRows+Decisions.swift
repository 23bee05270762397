extension StoreRows {
  /// Removes decisions that are no longer in force, and journals the time at which each decision ended. The
  /// entries are in the order of these times.
  func expire(at moment: Moment) throws {
    let ended = try decisionsThatMayBeOver(at: moment)
      .compactMap { decision in decision.end(asOf: moment).map { (decision: decision, end: $0) } }
      .sorted { one, other in
        guard one.end == other.end else { return one.end < other.end }
        return DecisionOrder.program.comes(one.decision, before: other.decision)
      }
    for (decision, end) in ended { try change(.expired, DecisionStep(before: decision, at: end)) }
  }

  func standing(
    of subject: Subject, capability: String, asking atoms: Set<Atom>?, at moment: Moment
  ) throws -> DecisionsInForce {
    let glance = try glance(at: subject, capability: capability, asking: atoms)
    var standing = DecisionsInForce(suspension: glance.suspension)
    for decision in glance.decisions where decision.isInForce(at: moment) && decision.holds(for: subject) {
      if decision.subject.isEveryone {
        standing.everyone.append(decision)
      } else if decision.atom == .everything {
        standing.mute = decision
      } else if decision.precedes(standing.decisions[decision.atom]) {
        standing.decisions[decision.atom] = decision
      }
    }
    return standing
  }

  func decide(_ rulings: [Ruling], by origin: Origin, at moment: Moment) throws -> DecisionResult {
    let decisions = rulings.flatMap { $0.decisions(by: origin, at: moment) }
    guard !decisions.isEmpty else { throw StoreError.nothingToKeep }
    let takenBack = try keep(decisions, as: .decided, by: origin, at: moment)
    return DecisionResult(decisions, takenBack: takenBack)
  }

  /// Inserts decisions without altering them. Leaves out those that are already stored or no longer in force.
  ///
  /// Denials come first, so that none of them takes back an allow of the same import.
  func importDecisions(
    _ decisions: [Decision], by origin: Origin, at moment: Moment
  ) throws -> [Decision] {
    var id: DecisionChange.ID?
    var new: [Decision] = []
    for decision in decisions.filter({ $0.verdict == .deny }) + decisions.filter({ $0.verdict == .allow }) {
      let found = try self.decision(decision.key)
      guard decision.isInForce(at: moment), !decision.saysTheSame(as: found) else { continue }
      _ = try keep(decision, as: .imported, by: origin, at: moment, in: &id)
      new.append(decision)
    }
    return new
  }

  /// Keeps decisions as one change, which also removes the decisions that they make obsolete.
  ///
  /// - Returns: The number of allows that denials have taken back.
  @discardableResult
  func keep(
    _ decisions: [Decision], as kind: JournalEntry.Kind, by origin: Origin, at moment: Moment
  ) throws -> Int {
    var id: DecisionChange.ID?
    return try decisions.map { try keep($0, as: kind, by: origin, at: moment, in: &id) }.reduce(0, +)
  }

  /// Keeps a decision as part of a change, and removes the decisions that it makes obsolete.
  ///
  /// - Returns: The number of allows that a denial has taken back.
  private func keep(
    _ after: Decision, as kind: JournalEntry.Kind, by origin: Origin, at moment: Moment,
    in id: inout DecisionChange.ID?
  ) throws -> Int {
    let before = try decision(after.key)
    id = try change(kind, DecisionStep(before: before, after: after, origin: origin, at: moment.wall), in: id)
    let obsolete = try decisionsReplaced(by: after) + decisionsOutweighed(by: after)
    for replaced in obsolete {
      try change(.forgotten, DecisionStep(before: replaced, origin: origin, at: moment.wall), in: id)
    }
    return after.verdict == .deny ? obsolete.count { $0.verdict == .allow } : 0
  }

  /// Returns the stored decisions that the given decision makes obsolete. They are about the same atom and the same
  /// path, but for a file or a folder that has since been replaced.
  private func decisionsReplaced(by decision: Decision) throws -> [Decision] {
    guard let path = decision.subject.path else { return [] }
    return try decisions(on: decision.atom, at: path, label: decision.subject.label).filter {
      $0.subject.isSamePlace(as: decision.subject) && $0.subject != decision.subject
    }
  }

  /// Returns the program's own decisions that a new decision would contradict at the same or a narrower scope. A denial
  /// takes back all allows inside its scope. An allow replaces denials at its own scope only: denials inside it stand.
  private func decisionsOutweighed(by decision: Decision) throws -> [Decision] {
    guard let definition = definition(decision.atom.capability) else { return [] }
    let (atom, subject) = (decision.atom, decision.subject)
    if decision.verdict == .allow {
      return try decisions(of: subject, atom.capability, .deny, at: atom.scope).filter {
        definition.implies(atom, $0.atom)
      }
    }
    return try subject.textsDeniedTogether.flatMap { programs in
      try decisions(ofLabel: subject.label, programs, atom.capability, .allow, inside: atom.scope)
    }.filter { decision.takesBack($0, definition) }
  }

  func forget(_ filter: DecisionFilter, by origin: Origin, at moment: Moment) throws -> [Decision] {
    try forget(decisions(filter, order: .program, after: nil, limit: .max), by: origin, at: moment)
  }

  func forget(
    _ allows: [Decision.Key], unusedSince limit: Timestamp, by origin: Origin, at moment: Moment
  ) throws -> [Decision] {
    try forget(
      allows.compactMap { try decision($0) }.filter { $0.isUnused(since: limit) }, by: origin, at: moment)
  }

  private func forget(_ forgotten: [Decision], by origin: Origin, at moment: Moment) throws -> [Decision] {
    var id: DecisionChange.ID?
    for before in forgotten {
      id = try change(.forgotten, DecisionStep(before: before, origin: origin, at: moment.wall), in: id)
    }
    return forgotten
  }

  /// Starts or ends a suspension, and returns whether that changed anything.
  func setSuspended(_ isSuspended: Bool, by origin: Origin, at moment: Moment) throws -> Bool {
    guard try (suspension() != nil) != isSuspended else { return false }
    try setSuspension(isSuspended ? Suspension(since: moment.wall, origin: origin) : nil)
    try journal(JournalEntry(at: moment.wall, kind: isSuspended ? .suspended : .resumed, origin: origin))
    return true
  }
}

extension Subject {
  /// Whether a denial for this subject takes back what another one was allowed: the same program, in any folder if the
  /// denial is not for one folder, or the label alone, which this program could use.
  fileprivate func isDenied(together other: Subject) -> Bool {
    guard !isEveryone, folder == nil || folder == other.folder else { return self == other }
    return other.inAnyFolder == inAnyFolder || other.inAnyFolder.isUnbound
  }
}

extension Decision {
  /// Whether this denial takes back an allow of the same capability.
  func takesBack(_ allow: Decision, _ definition: CapabilityDefinition) -> Bool {
    definition.implies(allow.atom, atom) && atom.scope.denied.covers(allow.atom.scope)
      && subject.isDenied(together: allow.subject)
  }

  /// Whether this decision takes precedence over another one about the same atom. A decision for exactly one program
  /// takes precedence over one for a label alone, and a denial over an allow in an unknown folder. Otherwise, the later
  /// decision takes precedence.
  fileprivate func precedes(_ other: Decision?) -> Bool {
    guard let other else { return true }
    if subject.folder == .unknown || other.subject.folder == .unknown, verdict != other.verdict {
      return verdict == .deny
    }
    guard subject.isUnbound == other.subject.isUnbound else { return other.subject.isUnbound }
    return decidedAt > other.decidedAt
  }
}
