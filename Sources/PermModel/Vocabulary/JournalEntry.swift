/// One line of the journal.
package struct JournalEntry: Hashable, Sendable, Codable, Identifiable {
  /// The number of an entry, which determines its place in the journal. Numbers increase and are never reused.
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
  /// The digest of a request's details, in the entry about the request's beginning; `nil` if it had none.
  package var details: String?
  /// The number of times that the event happened, most recently at ``lastAt``. Equal automatic answers within
  /// a minute share one entry, so the number can exceed 1.
  package var count: Int
  package var lastAt: Timestamp?
  /// Whether an answer became a decision.
  package var isKept = false
  /// The decision that gave an automatic answer; `nil` if the answer had another basis.
  package var decision: Decision.Key?
  /// The first values that the automatic answers of this entry were about, in order.
  package var values: [Atom] = []
  /// The change of decisions to which this entry belongs. For ``Kind/undone`` and ``Kind/redone``, the change that was
  /// undone or redone.
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
    /// A request was answered without asking the person, because of a decision, a mute or a limit.
    case automatic
    /// An asking program or a sandboxed process tried to make a change that only a person is allowed to make.
    case refused
    /// `decided`: a decision was made. `forgotten`: a decision was removed. `expired`: a decision's lifetime ended.
    case decided, forgotten, expired
    /// An allow decision for a label alone was used for the first time. From then on, it applies only to the
    /// program that used it.
    case bound
    /// A change of decisions was undone, or was made again after that.
    case undone, redone
    case imported
    /// The store was replaced by a backup. The text names the backup and the new path of the former store.
    case restored
    /// The panic key was used. `suspended`: all allow decisions are suspended. `resumed`: they are in effect again.
    case suspended, resumed
    /// The person's notification command failed. The text says why.
    case notifyFailed = "notify-failed"
    /// An agent has used a tool that was allowed. The text says how that ended: one of ``JournalEntry/done`` and
    /// ``JournalEntry/failed``.
    case used
    /// A person changed a row of the desktop's permission store here. The text says how, in the desktop's own terms.
    case desktop
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

extension JournalEntry {
  /// The texts of entries about uses: what was allowed was done, or it failed.
  package static let done = "done"
  package static let failed = "failed"
}

extension JournalEntry.Kind {
  /// Whether a program might be known otherwise after such an entry.
  var changesKnownPrograms: Bool {
    switch self {
    case .answered, .decided, .forgotten, .expired, .bound, .undone, .redone, .imported, .restored: true
    case .asked, .shown, .setAside, .reopened, .dismissed, .withdrawn, .timedOut, .automatic, .refused,
      .suspended, .resumed, .notifyFailed, .used, .desktop:
      false
    }
  }

  /// The kinds of entries that can record how a request ended. What became of it later comes after its end.
  package static let untilEnd = Set(allCases).subtracting([.used, .desktop])

  /// Whether an entry of this kind can begin a change that can be undone.
  package var isUndoable: Bool { self == .decided || self == .forgotten || self == .imported }
}
