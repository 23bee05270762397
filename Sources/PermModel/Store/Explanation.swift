/// The answer that one program asking for one atom would get now, and the reason for it.
package struct Explanation: Hashable, Sendable {
  package var subject: Subject
  package var atom: Atom
  package var reason: Reason
  /// The newest journal entry about it that decided, took back or ended something.
  package var lastChange: JournalEntry?
  /// Other files with decisions under the same label.
  package var sameLabel: [Subject]

  /// The reason for the answer. Implications of the capability's other atoms are not considered here.
  package enum Reason: Hashable, Sendable {
    /// The panic key is in effect: everything is denied, whatever was decided.
    case suspended(Suspension, decided: Decision?)
    case decided(Decision)
    /// A mute: the atom is undecided, and the program's new requests are denied.
    case muted(Decision)
    /// The atom is undecided: a request asks the person.
    case undecided
  }

  /// The verdict in force; `nil` if the person would be asked.
  package var verdict: Verdict? {
    switch reason {
    case .suspended, .muted: .deny
    case .decided(let decision): decision.verdict
    case .undecided: nil
    }
  }
}

extension PermissionStore {
  /// Explains the answer that one program asking for one atom would get now.
  package func explain(_ subject: Subject, _ atom: Atom) throws(StoreError) -> Explanation {
    let standing = try standing(of: subject, capability: atom.capability)
    let filter = JournalFilter(
      label: subject.label, capability: atom.capability, kinds: JournalEntry.Kind.decisive)
    // Read in pages, because a busy program may have many entries about other atoms.
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
  /// Kinds of entries after which a different answer may apply to a program.
  fileprivate static let decisive: Set<JournalEntry.Kind> = [
    .decided, .forgotten, .expired, .bound, .undone, .imported,
  ]
}
