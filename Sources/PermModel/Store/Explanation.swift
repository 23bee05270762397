/// What would be answered now to one program that asks for one atom, and because of what.
public struct Explanation: Hashable, Sendable {
  public var subject: Subject
  public var atom: Atom
  public var reason: Reason
  /// The newest journal entry that decided, took back or ended something about it.
  public var lastChange: JournalEntry?
  /// Other files that have decisions under the same label.
  public var sameLabel: [Subject]

  /// What stands behind the answer. What other atoms of the capability imply is not looked at here.
  public enum Reason: Hashable, Sendable {
    /// The panic key holds: everything is denied, whatever was decided.
    case suspended(Suspension, decided: Decision?)
    case decided(Decision)
    /// Nothing is decided, and what the program asks anew is denied.
    case muted(Decision)
    /// Nothing is decided: a request asks the person.
    case undecided
  }

  /// The verdict that counts now; `nil` if the person would be asked.
  public var verdict: Verdict? {
    switch reason {
    case .suspended, .muted: .deny
    case .decided(let decision): decision.verdict
    case .undecided: nil
    }
  }
}

extension PermissionStore {
  /// Explains what would be answered now to one program that asks for one atom.
  public func explain(_ subject: Subject, _ atom: Atom) throws(StoreError) -> Explanation {
    let standing = try standing(of: subject, capability: atom.capability)
    let filter = JournalFilter(
      label: subject.label, capability: atom.capability, kinds: JournalEntry.Kind.decisive)
    // Read in pages, as a busy program may have many entries about other atoms.
    var page = try journal(filter, .newest(100))
    var lastChange: JournalEntry?
    while lastChange == nil, let oldest = page.last {
      lastChange = page.first {
        $0.atoms.contains(atom) && ($0.subject == subject || $0.subject?.path == nil)
      }
      if lastChange == nil { page = try journal(filter, .older(than: oldest.id, 100)) }
    }
    let sameLabel = try decisions(DecisionFilter(label: subject.label)).map(\.subject)
    return Explanation(
      subject: subject, atom: atom, reason: Explanation.Reason(standing, atom), lastChange: lastChange,
      sameLabel: Set(sameLabel).subtracting([subject]).sorted { $0.programText < $1.programText })
  }
}

extension Explanation.Reason {
  fileprivate init(_ standing: Standing, _ atom: Atom) {
    let decided = standing.decisions[atom]
    if let suspension = standing.suspension {
      self = .suspended(suspension, decided: decided)
    } else if let decided {
      self = .decided(decided)
    } else if let mute = standing.mute {
      self = .muted(mute)
    } else {
      self = .undecided
    }
  }
}

extension JournalEntry.Kind {
  /// Kinds after which something else may hold for a program.
  fileprivate static let decisive: Set<JournalEntry.Kind> = [
    .decided, .forgotten, .expired, .bound, .undone, .imported,
  ]
}
