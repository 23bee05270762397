/// One line of the journal.
package struct JournalEntry: Hashable, Sendable, Codable, Identifiable {
  /// The entry's place in the journal. Ids increase and are never reused.
  package typealias ID = Int64

  package var id: ID
  package var at: Timestamp
  package var kind: Kind
  package var origin: Origin?
  package var subject: Subject?
  package var capability: String?
  package var atoms: Set<Atom>
  package var request: Request.ID?
  package var verdict: Verdict?
  /// A person's note, a program's reason, or the reason for an automatic answer.
  package var text: String?
  /// The number of times it happened up to ``lastAt``: equal automatic answers within a minute share one entry.
  package var count: Int
  package var lastAt: Timestamp?
  /// The change that this entry is part of, or, for ``Kind/undone``, the change that it takes back.
  package var change: ID?
  /// The decision before the change; `nil` if there was none or no decision changed.
  package var before: Decision?
  /// The decision after the change; `nil` if there is none or no decision changed.
  package var after: Decision?

  package init(
    id: ID = 0, at: Timestamp, kind: Kind, origin: Origin? = nil, subject: Subject? = nil,
    capability: String? = nil, atoms: Set<Atom> = [], request: Request.ID? = nil, verdict: Verdict? = nil,
    text: String? = nil
  ) {
    self.id = id
    self.at = at
    self.kind = kind
    self.origin = origin
    self.subject = subject
    self.capability = capability
    self.atoms = atoms
    self.request = request
    self.verdict = verdict
    self.text = text
    self.count = 1
  }
}

extension JournalEntry {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case asked
    case shown
    case setAside = "set-aside"
    case reopened
    case answered
    case dismissed, withdrawn
    case timedOut = "timed-out"
    /// A request was answered without asking anybody: by a decision, a mute or a limit.
    case automatic
    /// A program that asks, or a process in a sandbox, tried to make a change that only a person may make.
    case refused
    /// A decision was made, reset to undecided, or ended by itself.
    case decided, forgotten, expired
    /// A decision for a label alone became one for the program that asked first.
    case bound
    case undone
    case imported
    /// A backup replaced the store. The text names the backup and the former store's new place.
    case restored
    /// The panic key was used: all allows are suspended, or count again.
    case suspended, resumed
  }

  package var changesDecision: Bool { before != nil || after != nil }

  init(_ kind: Kind, from before: Decision?, to after: Decision?, by origin: Origin?, at moment: Timestamp) {
    let decision = after ?? before
    self.init(
      at: moment, kind: kind, origin: origin, subject: decision?.subject,
      capability: decision?.atom.capability, atoms: decision.map { [$0.atom] } ?? [], verdict: after?.verdict,
      text: after?.note)
    self.before = before
    self.after = after
  }

  init(_ kind: Kind, _ request: Request, by origin: Origin?, at moment: Timestamp) {
    self.init(
      at: moment, kind: kind, origin: origin, subject: request.subject, capability: request.capability,
      atoms: request.atoms, request: request.id)
  }
}

extension JournalEntry.Kind {
  var isUndoable: Bool { self == .decided || self == .forgotten || self == .imported }
}
