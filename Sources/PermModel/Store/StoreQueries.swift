/// A filter for decisions. Fields that are `nil` match every decision.
package struct DecisionFilter: Hashable, Sendable {
  package var subject: Subject?
  /// Matches decisions about any of these programs.
  package var subjects: Set<Subject>?
  package var label: String?
  /// Matches decisions about every file that has ever been at this path.
  package var path: String?
  package var capability: String?
  package var atoms: Set<Atom>?
  package var verdict: Verdict?

  package init(
    subject: Subject? = nil, label: String? = nil, path: String? = nil, capability: String? = nil,
    atoms: Set<Atom>? = nil, verdict: Verdict? = nil
  ) {
    self.subject = subject
    self.label = label
    self.path = path
    self.capability = capability
    self.atoms = atoms
    self.verdict = verdict
  }

  /// The filter for the decisions that mute programs.
  package static let mutes = DecisionFilter(atoms: [.everything])

  package func matches(_ decision: Decision) -> Bool {
    (subject.map { $0 == decision.subject } ?? true)
      && (subjects?.contains(decision.subject) ?? true)
      && (label.map { $0 == decision.subject.label } ?? true)
      && (path.map { $0 == decision.subject.path } ?? true)
      && (capability.map { $0 == decision.atom.capability } ?? true)
      && (atoms.map { $0.contains(decision.atom) } ?? true)
      && (verdict.map { $0 == decision.verdict } ?? true)
  }
}

/// The order in which decisions are returned.
package enum DecisionOrder: Sendable, CaseIterable {
  /// By program, then capability, then atom.
  case program
  /// By capability, then verdict (decisions that allow come first), then program and atom.
  case capability
}

extension DecisionOrder {
  package func comes(_ one: Decision, before other: Decision) -> Bool {
    let (first, second) = (SortKey(one, in: self), SortKey(other, in: self))
    if first.start != second.start { return first.start.lexicographicallyPrecedes(second.start) }
    if first.scope != second.scope { return first.scope.lexicographicallyPrecedes(second.scope) }
    return one.atom.name < other.atom.name
  }

  /// The place of a decision in an order.
  private struct SortKey {
    var start: [String]
    var scope: [UInt8]

    init(_ decision: Decision, in order: DecisionOrder) {
      let program = [decision.subject.label, decision.subject.programText]
      let capability = decision.atom.capability
      start =
        switch order {
        case .program: program + [capability]
        case .capability: [capability, decision.verdict.rawValue] + program
        }
      scope = decision.atom.scope.key
    }
  }
}

/// A filter for journal entries. Fields that are `nil` match every entry.
package struct JournalFilter: Hashable, Sendable {
  package var label: String?
  package var path: String?
  package var capability: String?
  package var kinds: Set<JournalEntry.Kind>?
  package var request: Request.ID?
  /// Matches entries at this time or later.
  package var since: Timestamp?
  /// Matches entries before this time.
  package var until: Timestamp?

  package init(
    label: String? = nil, path: String? = nil, capability: String? = nil,
    kinds: Set<JournalEntry.Kind>? = nil, request: Request.ID? = nil, since: Timestamp? = nil,
    until: Timestamp? = nil
  ) {
    self.label = label
    self.path = path
    self.capability = capability
    self.kinds = kinds
    self.request = request
    self.since = since
    self.until = until
  }

  package static let all = JournalFilter()
}

/// The part of the journal to read, and the maximum number of entries.
package enum JournalPage: Hashable, Sendable {
  /// The newest entries, newest first.
  case newest(Int)
  /// The entries before the given one, newest first.
  case older(than: JournalEntry.ID, Int)
  /// The entries after the given one, oldest first.
  case newer(than: JournalEntry.ID, Int)
}
