/// One line of what happened.
public struct JournalEntry: Hashable, Sendable, Codable, Identifiable {
  /// Its place in the journal. Grows, and is never used again.
  public typealias ID = Int64

  public var id: ID
  public var at: Timestamp
  public var kind: Kind
  public var origin: Origin?
  public var subject: Subject?
  /// The capability's name.
  public var capability: String?
  public var atoms: Set<Atom>
  public var request: Request.ID?
  /// What was answered.
  public var verdict: Verdict?
  /// The note of a person, the reason a program gave, or why an automatic answer was given.
  public var text: String?
  /// How many times it happened up to ``lastAt``: the same automatic answer is summed up for a minute.
  public var count: Int
  public var lastAt: Timestamp?
  /// The change that this entry is part of, or, for ``Kind/undone``, the change that it takes back.
  public var change: ID?
  /// The decision that stood before, where a decision changed.
  public var before: Decision?
  /// The decision that stands since, where a decision changed.
  public var after: Decision?

  public init(
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
  /// What an entry tells of.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// A program asked.
    case asked
    /// The request's alert was shown.
    case shown
    case setAside = "set-aside"
    case reopened
    /// A person answered a request.
    case answered
    case dismissed, withdrawn
    case timedOut = "timed-out"
    /// Something was answered without asking anybody: by a decision, a mute, a limit.
    case automatic
    /// A program that asks, or a process in a sandbox, tried to change something as a person does.
    case refused
    /// A decision was made, or taken back to undecided, or ended by itself.
    case decided, forgotten, expired
    /// A decision for a label alone became one for the program that asked first.
    case bound
    /// A change was taken back.
    case undone
    case imported
    /// A backup was put in the store's place; which one, and where the former store is.
    case restored
    /// The panic key: all allows are suspended, or count again.
    case suspended, resumed
  }

  /// Whether a decision changed.
  public var changesDecision: Bool { before != nil || after != nil }

  /// An entry that tells how one decision changed.
  init(_ kind: Kind, from before: Decision?, to after: Decision?, by origin: Origin?, at moment: Timestamp) {
    let decision = after ?? before
    self.init(
      at: moment, kind: kind, origin: origin, subject: decision?.subject,
      capability: decision?.atom.capability, atoms: decision.map { [$0.atom] } ?? [], verdict: after?.verdict,
      text: after?.note)
    self.before = before
    self.after = after
  }

  /// An entry about a request.
  init(_ kind: Kind, _ request: Request, by origin: Origin?, at moment: Timestamp) {
    self.init(
      at: moment, kind: kind, origin: origin, subject: request.subject, capability: request.capability,
      atoms: request.atoms, request: request.id)
  }
}

extension JournalEntry.Kind {
  /// Whether a change of this kind can be undone.
  var isUndoable: Bool { self == .decided || self == .forgotten || self == .imported }
}
